import Foundation
import TestSupport
import Testing

/// Commands find the store that runs, and `perennial run` has a store of its own.
struct DiscoveryTests {
    private static func perennial(_ words: String..., runtime: String) async throws -> PerennialProcess.Ended {
        try await PerennialProcess(words, environment: ["PERENNIAL_RUNTIME_DIR": runtime]).ended()
    }

    private static func start(runtime: String, _ more: String...) async throws -> RunningStore {
        try await RunningStore.start(
            data: "", ["--in-memory"] + more, environment: ["PERENNIAL_RUNTIME_DIR": runtime])
    }

    @Test func `a command finds the one store that runs, and lists several`() async throws {
        let runtime = "\(try TemporaryFolder.make())/runtime"
        let none = try await Self.perennial("clock", runtime: runtime)
        #expect(none.status == 1 && none.errors.contains("no store of yours runs on this machine"), "\(none.errors)")
        let store = try await Self.start(runtime: runtime)
        let mode = try FileManager.default.attributesOfItem(atPath: runtime)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let found = try await Self.perennial(
            "buy", "film.roll", "--account", "ann", runtime: runtime)
        #expect(found.status == 0 && found.output.hasPrefix("ann bought film.roll, USD 0.99: "), "\(found.errors)")
        let other = try await Self.start(runtime: runtime)
        let both = try await Self.perennial("clock", runtime: runtime)
        #expect(both.status == 1, "\(both.output)")
        for url in [store.url, other.url] { #expect(both.errors.contains("\(url) (\(RunningStore.bundleID))")) }
        let named = try await Self.perennial("clock", "--url", other.url, runtime: runtime)
        #expect(named.status == 0, "\(named.errors)")
        #expect(await store.stop().status == 0)
        #expect(await other.stop().status == 0)
        #expect(!FileManager.default.fileExists(atPath: runtime))
    }

    /// Goal: what a killed store leaves is neither found nor kept.
    @Test func `the files of a killed store are ignored and removed`() async throws {
        let runtime = "\(try TemporaryFolder.make())/runtime"
        let store = try await Self.start(runtime: runtime)
        await store.stop(SIGKILL)
        #expect(try FileManager.default.contentsOfDirectory(atPath: runtime).count == 3)
        let ended = try await Self.perennial("clock", runtime: runtime)
        #expect(ended.errors.contains("no store of yours runs"), "\(ended.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: runtime) == [])
    }

    @Test func `the store over TLS is reached by its URL`() async throws {
        let runtime = "\(try TemporaryFolder.make())/runtime"
        let store = try await Self.start(runtime: runtime, "--tls", "--tls-port", "0")
        let url = try #require(store.ready["tls"]?["url"]?.text)
        let found = try await Self.perennial("clock", "--url", url, runtime: runtime)
        #expect(found.status == 0, "\(found.errors)")
        let elsewhere = try await Self.perennial(
            "clock", "--url", url, "--token", store.controlToken, runtime: "\(runtime)-none")
        #expect(elsewhere.status == 1 && elsewhere.errors.contains("certificate is not trusted"), "\(elsewhere.errors)")
        await store.stop()
    }

    @Test func `a usage error is JSON for a program`() async throws {
        let runtime = "\(try TemporaryFolder.make())/runtime"
        for words in [
            ["clock", "--json", "--url", "nowhere"], ["acounts", "--json"], ["clock", "advance", "--json"],
        ] {
            let ended = try await PerennialProcess(words, environment: ["PERENNIAL_RUNTIME_DIR": runtime]).ended()
            #expect(ended.status == 64)
            #expect(try JSONValue(Data(ended.errors.utf8))["error"]?["code"] == "usage", "\(ended.errors)")
        }
        let misspelled = try await Self.perennial("acounts", "list", runtime: runtime)
        #expect(misspelled.errors.contains("Did you mean `perennial accounts`?"), "\(misspelled.errors)")
    }

    @Test func `the version is printed`() async throws {
        let ended = try await PerennialProcess(["--version"]).ended()
        #expect(ended.status == 0)
        #expect(ended.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }

    private static func catalog() throws -> String {
        let path = "\(try TemporaryFolder.make())/catalog.yaml"
        try Data(RunningStore.catalog.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137)])
    func `a command runs beside a store, and its exit code is kept`(script: String, status: Int32) async throws {
        let ended = try await PerennialProcess(
            ["run", "--catalog", try Self.catalog(), "--", "/bin/sh", "-c", "echo $PERENNIAL_URL; \(script)"]
        ).ended()
        #expect(ended.status == status, "\(ended.errors)")
        #expect(ended.output.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\n/) != nil, "\(ended.output)")
    }

    @Test func `a command finds the store of its run, which is gone afterwards`() async throws {
        let folder = try TemporaryFolder.make()
        let ended = try await PerennialProcess(
            [
                "run", "--catalog", try Self.catalog(), "--", try PerennialProcess.executable().path, "apps", "list",
                "--json",
            ],
            environment: ["TMPDIR": folder, "PERENNIAL_RUNTIME_DIR": "\(folder)/runtime"]
        ).ended()
        #expect(ended.status == 0, "\(ended.errors)")
        let apps = try JSONValue(Data(ended.output.utf8))["apps"]?.elements
        #expect(apps?.first?["bundleId"] == .string(RunningStore.bundleID))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test func `a run without a command, or with an unknown one, fails`() async throws {
        let without = try await PerennialProcess(["run", "--in-memory"]).ended()
        #expect(without.status == 64 && without.errors.contains("Say -- and a command"), "\(without.errors)")
        let options = try await PerennialProcess(["run", "--prot", "1", "--", "true"]).ended()
        #expect(options.status == 64 && options.errors.contains("--prot"), "\(options.errors)")
        let missing = try await PerennialProcess(["run", "--", "perennial-none"]).ended()
        #expect(missing.status == 127 && missing.errors.contains("there is no command"), "\(missing.errors)")
    }

    @Test func `SIGTERM to a run ends its command`() async throws {
        let folder = try TemporaryFolder.make()
        let process = try PerennialProcess(
            ["run", "--", "sh", "-c", "echo the command is ready.; exec sleep 600"],
            environment: ["PERENNIAL_RUNTIME_DIR": "\(folder)/runtime"])
        try await process.untilReady()
        process.signal(SIGTERM)
        #expect(await process.ended().status == 143)
    }
}
