import Foundation
import TestSupport
import Testing

@testable import PerennialCommand

/// Where a command finds its store.
struct EndpointTests {
    private static let ready = """
        {"url": "http://ready:1", "controlToken": "of-ready", "apps": [{"bundleId": "a", "sharedSecret": "s"}]}
        """
    private static let variables = ["PERENNIAL_URL": "http://variable:1", "PERENNIAL_TOKEN": "of-variable"]

    @Test(arguments: [
        (true, true, true, "http://option:1", "of-option"), (true, false, true, "http://option:1", "of-option"),
        (false, true, true, "http://ready:1", "of-ready"), (false, false, true, "http://variable:1", "of-variable"),
        (false, false, false, "http://127.0.0.1:8080", nil),
    ])
    func `options come before the ready file, and that before variables`(
        options: Bool, ready: Bool, variables: Bool, url: String, token: String?
    ) throws {
        let file = "\(try TemporaryFolder.make())/ready.json"
        try Data(Self.ready.utf8).write(to: URL(filePath: file))
        let endpoint = StoreEndpoint(
            url: options ? "http://option:1/" : nil, token: options ? "of-option" : nil,
            ready: ready ? try ReadyStore(file: file) : nil, variables: variables ? Self.variables : [:])
        #expect(endpoint.url == url)
        #expect(endpoint.token == token)
    }

    @Test(arguments: [
        ("Production", "http://store"), ("Sandbox", "http://store/sandbox"),
        ("staging", "http://store/environments/staging"), ("a/../b ä", "http://store/environments/a%2F..%2Fb%20%C3%A4"),
    ])
    func `an environment has its own base URL`(name: String, base: String) throws {
        var endpoint = StoreEndpoint(url: "http://store/", token: nil)
        endpoint.environment = try #require(EnvironmentName(argument: name))
        #expect(endpoint.base == base)
    }

    @Test func `a ready file that is not there, or is none, says so`() throws {
        let file = "\(try TemporaryFolder.make())/ready.json"
        for text in [nil, "[]"] {
            if let text { try Data(text.utf8).write(to: URL(filePath: file)) }
            #expect {
                _ = try ReadyStore(file: file)
            } throws: { error in
                (error as? StoreClientError)?.code == .notReady && "\(error)".hasPrefix(file)
            }
        }
    }

    @Test func `the ready file of a server is enough`() async throws {
        try await RunningStore.run { store in
            let file = "\(try TemporaryFolder.make())/ready.json"
            let announced = Announcement(
                url: store.url, controlToken: RunningStore.token, rootCertificate: "root.cer",
                receiptRootCertificate: "receipt-root.cer", apps: [], keys: [:])
            try ReadyFile(path: file).write(announced)
            let report = try await RunningStore.run(["environment", "list", "--ready-file", file])
            #expect(report.words.contains("staging"))
        }
    }
}
