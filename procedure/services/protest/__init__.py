"""Protest of certidões: the CRA's remessa as text and XML, its checks, and the return file. One field table for all."""
