"""The code that the store prints, run."""

import contextlib
import io
import json
import shutil
import subprocess
import sys
import tempfile
import unittest

from perennial import MAGAZINE, StoreTestCase


class Snippets(StoreTestCase):
    def test_python(self):
        sold = self.store.buy(MAGAZINE)
        program = self.store.command("snippets", "python")
        arguments, sys.argv = sys.argv, ["snippet", sold["transactionId"]]
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                exec(compile(program, "snippet", "exec"), {"__name__": "__main__"})
        finally:
            sys.argv = arguments
        self.assertIn(sold["transactionId"], said.getvalue())

    def test_curl(self):
        program = self.store.command("snippets", "curl")
        with tempfile.TemporaryDirectory() as folder:
            said = subprocess.run(
                ["bash", "-c", program], cwd=folder, capture_output=True, text=True, timeout=60, check=True).stdout
        answer = json.loads(said)
        self.assertEqual((answer["status"], answer["environment"]), (0, "Sandbox"))

    @unittest.skipUnless(shutil.which("node"), "there is no Node")
    def test_node_reads_its_program(self):
        subprocess.run(
            ["node", "--input-type=module", "--check", "-"], input=self.store.command("snippets", "node").encode(),
            capture_output=True, timeout=60, check=True)


if __name__ == "__main__":
    unittest.main()
