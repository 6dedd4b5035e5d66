"""All code that uses HTTP: the page for browsers, and the WebSocket on which its guests play."""
