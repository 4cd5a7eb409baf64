"""Rehearses failures: nodes of a store on a PostgreSQL cluster in network namespaces, clients, faults drawn by a seed, and rules."""
