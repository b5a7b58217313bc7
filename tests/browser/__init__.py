"""What a reader's browser makes of the built site.

``SITE_HTML`` names a folder that was built already; otherwise the site is built here.
"""
