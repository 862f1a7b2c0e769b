"""What administrators do to the shop: the writes behind both front ends and the REST API.

A function gets the connection of the request's transaction and values already read from the form; it raises `Refused`
with the words that the front end shows. Side rows (histories, stock) are written here, so both versions write the same.
"""
