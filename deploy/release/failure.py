class Failure(Exception):
    """What prevents a release, a sentence that says what to do."""
