"""Reading what an ERP exports, staging it and applying it in legal order (spec 07)."""
