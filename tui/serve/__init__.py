"""Sessions of guests over SSH and in browsers: screens, plain text, and deep links."""
