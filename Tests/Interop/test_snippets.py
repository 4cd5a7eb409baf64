"""The code that the store prints, run: as it is printed, with what its comments say to do first.

The libraries of other languages come from no place that a test could rely on. Where they are, these variables say:
PERENNIAL_INTEROP_NODE_MODULES, a folder node_modules with @apple/app-store-server-library;
PERENNIAL_INTEROP_JAVA_CLASSPATH, the jars of app-store-server-library and of what it depends on;
PERENNIAL_INTEROP_GOPATH, a GOPATH with github.com/golang-jwt/jwt/v5 (for the line of the banner, github.com/awa/go-iap).
"""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import tunnel
from perennial import MAGAZINE, StoreTestCase


def needs(tool, variable):
    """Skips where the tool isn't installed, or nothing says where the library is."""
    reason = f"there is no {tool}" if not shutil.which(tool) else f"{variable} is not set"
    return unittest.skipUnless(shutil.which(tool) and os.environ.get(variable), reason)


class SnippetTestCase(StoreTestCase):
    """A store, a transaction in it, and a folder for a program."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="perennial-snippet-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {
            name: value for name, value in os.environ.items() if name not in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE")}

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def run_program(self, *words):
        done = subprocess.run(
            words, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def sold(self):
        # A customer each: no customer can subscribe twice.
        return self.store.buy(MAGAZINE, account=self.id())["transactionId"]

    def line(self, language):
        """What the banner has of a language."""
        with open(self.store.banner_file) as file:
            return next(line.split(None, 1)[1] for line in file.readlines() if re.match(rf"    {language} ", line))

    def set_variable(self, name, program):
        """As the program's comment says."""
        self.environment[name] = re.search(rf"^// .*{name}=(\S+)$", program, re.MULTILINE)[1]

    def open_tunnel(self):
        """The port of a proxy, for those who have proxies."""
        tls = self.store.ready["tls"]
        proxy = tunnel.Tunnel(sum(tls["hosts"].values(), []), tls["port"])
        self.addCleanup(proxy.close)
        return proxy.port


class Snippets(SnippetTestCase):
    def test_python(self):
        sold = self.sold()
        program = self.store.command("snippets", "python")
        arguments, sys.argv = sys.argv, ["snippet", sold]
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                exec(compile(program, "snippet", "exec"), {"__name__": "__main__"})
        finally:
            sys.argv = arguments
        self.assertIn(sold, said.getvalue())

    def test_curl(self):
        said = self.run_program("bash", "-c", self.store.command("snippets", "curl"))
        answer = json.loads(said)
        self.assertEqual((answer["status"], answer["environment"]), (0, "Sandbox"))


class Node(SnippetTestCase):
    @unittest.skipUnless(shutil.which("node"), "there is no Node")
    def test_its_grammar(self):
        self.write("main.mjs", self.store.command("snippets", "node"))
        self.run_program("node", "--check", "main.mjs")

    @needs("node", "PERENNIAL_INTEROP_NODE_MODULES")
    def test_program(self):
        sold = self.sold()
        program = self.store.command("snippets", "node")
        self.prepare("main.mjs", program)
        self.set_variable("NODE_EXTRA_CA_CERTS", program)
        tls = self.store.ready["tls"]
        self.write("tunnel.cjs", tunnel.NODE % (json.dumps(sum(tls["hosts"].values(), [])), tls["port"]))
        self.assertIn(sold, self.run_program("node", "--require", "./tunnel.cjs", "main.mjs", sold))

    @needs("node", "PERENNIAL_INTEROP_NODE_MODULES")
    def test_line_of_the_banner(self):
        imports = [line for line in self.store.command("snippets", "node").splitlines() if line.startswith("import ")]
        line = self.line("Node").strip()
        self.prepare("main.mjs", "\n".join(imports) + f"\nconst client = {line}\nclient.getTransactionInfo.call\n")
        self.run_program("node", "main.mjs")

    def prepare(self, name, program):
        # Programs that `import` look beside themselves, and at no variable.
        os.symlink(
            os.path.abspath(os.environ["PERENNIAL_INTEROP_NODE_MODULES"]), os.path.join(self.folder, "node_modules"))
        self.write(name, program)


class Java(SnippetTestCase):
    @needs("javac", "PERENNIAL_INTEROP_JAVA_CLASSPATH")
    def test_program(self):
        sold = self.sold()
        program = self.store.command("snippets", "java")
        path = self.compile(program)
        self.run_program("bash", "-c", re.search("^// (keytool .*)$", program, re.MULTILINE)[1])
        options = re.search("^// Run with (-D.*)$", program, re.MULTILINE)[1].split()
        proxy = ["-Dhttps.proxyHost=127.0.0.1", f"-Dhttps.proxyPort={self.open_tunnel()}"]
        self.assertIn(f"'{sold}'", self.run_program("java", *options, *proxy, "-cp", path, "Main", sold))

    @needs("javac", "PERENNIAL_INTEROP_JAVA_CLASSPATH")
    def test_line_of_the_banner(self):
        lines = self.store.command("snippets", "java").splitlines()
        imports = [line for line in lines if line.startswith("import ")]
        path = self.compile("\n".join(imports) + f"""
            class Main {{
                public static void main(String[] arguments) throws Exception {{
                    AppStoreServerAPIClient client = {self.line("Java").strip()};
                }}
            }}""")
        self.run_program("java", "-cp", path, "Main")

    def compile(self, program):
        """Where it is then, with its libraries."""
        libraries = os.environ["PERENNIAL_INTEROP_JAVA_CLASSPATH"]
        self.write("Main.java", program)
        self.run_program("javac", "-cp", libraries, "Main.java")
        return f"{libraries}{os.pathsep}."


class Go(SnippetTestCase):
    @needs("go", "PERENNIAL_INTEROP_GOPATH")
    def test_program(self):
        sold = self.sold()
        program = self.store.command("snippets", "go")
        self.build(program)
        self.set_variable("SSL_CERT_FILE", program)
        self.environment["HTTPS_PROXY"] = f"http://127.0.0.1:{self.open_tunnel()}"
        self.assertIn(f"transactionId:{sold}", self.run_program("./snippet", sold))

    @needs("go", "PERENNIAL_INTEROP_GOPATH")
    def test_program_refuses_what_another_root_has_signed(self):
        program = self.store.command("snippets", "go")
        self.set_variable("SSL_CERT_FILE", program)
        key = os.path.join(self.folder, "another.key")
        root = os.path.join(self.folder, "another.cer")
        self.run_program(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=Another", "-keyout", key, "-out", root, "-outform", "DER")
        self.build(program.replace(self.store.ready["rootCertificate"], root))
        self.environment["HTTPS_PROXY"] = f"http://127.0.0.1:{self.open_tunnel()}"
        done = subprocess.run(
            ["./snippet", self.sold()], cwd=self.folder, env=self.environment, capture_output=True, text=True,
            timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("certificate signed by unknown authority", done.stderr)

    @needs("go", "PERENNIAL_INTEROP_GOPATH")
    def test_line_of_the_banner(self):
        if not os.path.isdir(os.path.join(os.environ["PERENNIAL_INTEROP_GOPATH"], "src/github.com/awa/go-iap")):
            self.skipTest("there is no go-iap")
        self.build(f"""
            package main

            import (
                "os"

                "github.com/awa/go-iap/appstore/api"
            )

            func main() {{
                {self.line("Go").strip()}
                if _, err := client.Token.GenerateIfExpired(); err != nil {{
                    panic(err)
                }}
            }}""")
        self.run_program("./snippet")

    def build(self, program):
        self.write("main.go", program)
        # No modules: nothing is loaded from anywhere.
        self.environment |= {
            "GOPATH": os.path.abspath(os.environ["PERENNIAL_INTEROP_GOPATH"]), "GO111MODULE": "off",
            "GOTOOLCHAIN": "local", "GOFLAGS": ""}
        self.run_program("go", "build", "-o", "snippet", "main.go")


if __name__ == "__main__":
    unittest.main()
