"""Other words for the labels of user interfaces, by role; reviewed by hand.

A synonym keeps what a person understands and changes what a stored name finds: role and name are then not the same as
before, and agents that match names exactly must look again. Words that name content (titles, people, places) are not in it.
"""

from __future__ import annotations

# A label matches when it is the whole text, or all of it before a colon.
SYNONYMS: dict[str, dict[str, str]] = {
    "link": {
        "About": "About Us",
        "Cancel reply": "Discard reply",
        "Contact": "Get in Touch",
        "Home": "Start",
        "Next": "Forward",
        "Next Page": "Following Page",
        "Previous": "Back",
        "Previous Page": "Preceding Page",
        "Privacy": "Data Protection",
        "Read More": "Continue Reading",
        "Reply": "Answer",
        "Log in": "Sign in",
        "Log out": "Sign out",
        "Edit": "Modify",
        "Settings": "Preferences",
    },
    "button": {
        "Add": "Create",
        "Apply": "Use",
        "Cancel": "Discard",
        "Close": "Dismiss",
        "Delete": "Remove",
        "Edit": "Modify",
        "Log in": "Sign in",
        "Post Comment": "Publish Comment",
        "Save": "Save Changes",
        "Search": "Find",
        "Submit": "Send",
    },
    "field": {
        "Comment": "Your Comment",
        "Description": "Summary",
        "Email": "E-mail Address",
        "Name": "Your Name",
        "Password": "Passphrase",
        "Search": "Find",
        "Search for": "Look for",
        "Title": "Heading",
        "Username": "Account Name",
        "Website": "Homepage",
    },
}


def synonym(role: str, label: str) -> str:
    """Returns another wording of a label, empty when there is none.

    Args:
        role: A key of `SYNONYMS`.
        label: The label, with the white space around it.
    """
    start, colon, rest = label.partition(":")
    word = SYNONYMS[role].get(start.strip(), "")
    return start.replace(start.strip(), word, 1) + colon + rest if word else ""
