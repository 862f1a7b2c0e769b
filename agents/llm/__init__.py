"""Chat models: one interface, adapters, recording and replay, cost.

```
model       ChatModel, Completion, Usage, Cost, Account: the interface and what a call came to
schemas     a reply read as JSON of a schema
asking      asking until the reply is of the schema, a bounded number of times
services    retries, and which faults are no measurement
openai_chat, anthropic_chat    adapters; their packages are imported when one is made
pricing     what tokens cost, where a price is known
recording   cache, record and replay, as one wrapper over any model
settings    a model from arguments as texts, as the command line gives them
local       a server of this machine for a GGUF file
```
"""
