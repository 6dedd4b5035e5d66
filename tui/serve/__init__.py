"""Serves guests by ssh and in browsers: screens, plain lines, and what links lead to."""
