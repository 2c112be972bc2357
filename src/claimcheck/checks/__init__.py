"""Mechanical tests of claims against source code."""
