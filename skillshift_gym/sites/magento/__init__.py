"""A shop's back office: Magento's admin in version 1.9 (source) and 2.4 (target) over one model, with REST V1."""
