"""Verifies app receipts without Perennial's code."""

import os
import subprocess
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding


def is_signed(receipt, root):
    """Returns true if openssl verifies a receipt's signature with a root certificate; both in DER."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "root.pem")
        with open(path, "wb") as file:
            file.write(x509.load_der_x509_certificate(root).public_bytes(Encoding.PEM))
        verified = subprocess.run(
            ["openssl", "cms", "-verify", "-inform", "DER", "-binary", "-purpose", "any", "-CAfile", path,
             "-out", os.devnull], input=receipt, capture_output=True, timeout=30)
    return verified.returncode == 0
