"""One file a command: options in, one call into the core, a report or edits out."""
