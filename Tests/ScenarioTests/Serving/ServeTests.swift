import AppStoreFormats
import AsyncHTTPClient
import Foundation
import NIOCore
import PerennialStorage
import TestSupport
import Testing

/// `perennial serve` from its start to its end.
struct ServeTests {
    @Test func `a ready server answers without further setup`() async throws {
        let store = try await RunningStore.start(data: try TemporaryFolder.make() + "/new")
        let keys = store.ready.members.map { Set($0.keys) } ?? []
        #expect(
            keys.isSuperset(of: [
                "url", "controlToken", "rootCertificate", "receiptRootCertificate", "environments", "apps",
            ]))
        #expect(store.url.hasPrefix("http://127.0.0.1:"))
        #expect(!store.url.hasSuffix(":0"))
        #expect(
            store.ready["environments"] == [
                "Production": .string(store.url), "Sandbox": .string(store.url + "/sandbox"),
            ])
        let app = try #require(store.ready["apps"]?.elements?.first)
        #expect(app["bundleId"] == "com.example.camera")
        #expect(app["sharedSecret"] == "00112233445566778899aabbccddeeff")
        #expect(app["appAppleId"]?.type == "number")
        try await RunningStore.withClient { client in
            #expect(try await RunningStore.ask(client, "\(store.url)/health")["status"] == "ok")
            let clock = try await RunningStore.ask(
                client, "\(store.sandbox)/control/v1/clock", bearer: store.controlToken)
            #expect(clock["kind"] == "real")
            let token = try await RunningStore.signIn(client, store.sandbox, "ann")
            #expect(
                try await RunningStore.buy(client, store.sandbox, "film.roll", token: token, key: "k").status == 200)
        }
        let root = try Data(contentsOf: URL(filePath: try #require(store.ready["rootCertificate"]?.text)))
        #expect(root.first == 0x30)
        #expect(try permissions(store.readyFile) == 0o600)
        let ended = await store.stop()
        #expect(ended.status == 0)
        #expect(!FileManager.default.fileExists(atPath: store.readyFile))
        #expect(ended.output.contains(store.url))
        #expect(ended.errors == "")
    }

    /// The App Store has two roots: what reads receipts pins the one, what reads signed data the other.
    @Test func `receipts verify with the root that the ready file names for them`() async throws {
        let data = try TemporaryFolder.make()
        let store = try await RunningStore.start(data: data)
        func certificate(_ name: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(filePath: try #require(store.ready[name]?.text))))
        }
        let (root, receiptRoot) = (try certificate("rootCertificate"), try certificate("receiptRootCertificate"))
        #expect(root != receiptRoot)
        let pem = try String(contentsOfFile: data + "/receipt-root-certificate.pem", encoding: .utf8)
        #expect(pem.contains(Data(receiptRoot).base64EncodedString().prefix(64)))
        try await RunningStore.withClient { client in
            let served = try await client.execute(
                HTTPClientRequest(url: store.url + "/certificates/receipt-root.cer"), timeout: .seconds(30))
            #expect(try await [UInt8](served.body.collect(upTo: 1 << 16).readableBytesView) == receiptRoot)
            let sold = try await RunningStore.ask(
                client, "\(store.sandbox)/control/v1/purchases",
                ["bundleId": "com.example.camera", "account": "ann", "productId": "filter.amber"],
                bearer: store.controlToken)
            let receipt = try #require(Data(base64Encoded: sold["appReceipt"]?.text ?? ""))
            let read = try ReceiptVerifier(trustedRoots: [receiptRoot]).verify([UInt8](receipt))
            #expect(read.purchases.map(\.productID) == ["filter.amber"])
            let old = try #require(Data(base64Encoded: sold["transactionReceipt"]?.text ?? ""))
            _ = try TransactionReceiptVerifier(trustedRoots: [receiptRoot]).verify([UInt8](old))
            _ = try JWSVerifier(trustedRoots: [root]).verify(sold["signedTransaction"]?.text ?? "")
        }
        await store.stop()
    }

    @Test func `keys, token and purchases outlive the process`() async throws {
        let data = try TemporaryFolder.make() + "/new"
        let first = try await RunningStore.start(data: data)
        let (token, sold) = try await RunningStore.withClient { client in
            let token = try await RunningStore.signIn(client, first.sandbox, "ann")
            let sold = try await RunningStore.buy(client, first.sandbox, "filter.amber", token: token, key: "k")
            return (token, sold["transaction"])
        }
        await first.stop()
        let second = try await RunningStore.start(data: data)
        #expect(second.controlToken == first.controlToken)
        #expect(second.ready["apps"] == first.ready["apps"])
        try await RunningStore.withClient { client in
            let again = try await RunningStore.buy(client, second.sandbox, "filter.amber", token: token, key: "k")
            #expect(again["transaction"] == sold)
        }
        await second.stop()
        for name in ["control-token", "keys/root.pem"] {
            #expect(try permissions("\(data)/\(name)") == 0o600, "\(name)")
        }
    }

    /// A ready file that a killed server has left must not say that the next one is ready.
    @Test func `a stale ready file is gone before the next start is ready`() async throws {
        let data = try TemporaryFolder.make()
        let store = try await RunningStore.start(data: data)
        await store.stop(SIGKILL)
        #expect(FileManager.default.fileExists(atPath: store.readyFile))
        // This start fails for good, after it has looked at its arguments.
        let failing = try PerennialProcess([
            "serve", "--port", "0", "--data", data, "--ready-file", store.readyFile, "--catalog", "\(data)/none.yaml",
        ])
        #expect(await failing.ended().status == 65)
        #expect(!FileManager.default.fileExists(atPath: store.readyFile))
    }

    @Test func `in memory, nothing is left behind`() async throws {
        let folder = try TemporaryFolder.make()
        let store = try await RunningStore.start(
            data: "", ["--in-memory"], environment: ["TMPDIR": folder, "PERENNIAL_RUNTIME_DIR": "\(folder)/runtime"])
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        await store.stop()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    /// Goal: SIGTERM under load loses nothing that was acknowledged, and what runs is finished.
    @Test func `SIGTERM under load loses no acknowledged purchase`() async throws {
        let data = try TemporaryFolder.make()
        let store = try await RunningStore.start(data: data)
        let acknowledged = try await RunningStore.withClient { client in
            let token = try await RunningStore.signIn(client, store.sandbox, "ann")
            return await withTaskGroup(of: [String].self) { group in
                for number in 0..<8 {
                    group.addTask {
                        var sold: [String] = []
                        while let reply = try? await RunningStore.buy(
                            client, store.sandbox, "film.roll", token: token, key: "\(number)-\(sold.count)"),
                            let id = reply["transaction"]?["transactionId"]?.text
                        {
                            sold.append(id)
                            if number == 0, sold.count == 10 { store.process.signal(SIGTERM) }
                        }
                        return sold
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
        }
        #expect(await store.process.ended().status == 0)
        let database = try Database(.sqlite(path: "\(data)/store.sqlite"), options: .forTests)
        defer { database.close() }
        let books = try await StoredBooks(database)
        books.expectInOrder()
        #expect(acknowledged.count >= 10)
        #expect(Set(acknowledged.compactMap(Int64.init)).isSubset(of: Set(books.sales.keys)))
    }

    static let usage: [[String]] = [
        ["serve", "--port", "99999"], ["serve", "--port", "x"], ["serve", "--nonsense"], ["serve", "extra"],
        ["serve", "--in-memory", "--database", "sqlite:x"], ["serve", "--in-memory", "--data", "x"],
        ["serve", "--database", "mysql://x"],
        ["serve", "--receipt-digest", "md5"], ["serve", "--log-level", "loud"], ["nonsense"],
    ]

    @Test(arguments: usage)
    func `a command that makes no sense is exit code 64`(arguments: [String]) async throws {
        let ended = try await PerennialProcess(arguments).ended()
        #expect(ended.status == 64)
        #expect(ended.errors.contains("Usage:"))
    }

    /// `FILE` is a file.
    static let places: [(arguments: [String], error: String)] = [
        (["--data", "/proc/x"], "the folder /proc/x can't be made: name another one with --data"),
        (["--data", "FILE"], "FILE is a file: --data names a folder"),
        (["--data", "FILE/below"], "the folder FILE/below can't be made: name another one with --data"),
        (
            ["--in-memory", "--host", "192.0.2.1"],
            "192.0.2.1 is no address of this machine: choose another with --host"
        ),
        (["--in-memory", "--host", "nowhere.invalid"], "there is no host called nowhere.invalid"),
    ]

    @Test(arguments: places)
    func `an unusable folder or address is reported in one line`(arguments: [String], error: String) async throws {
        let file = "\(try TemporaryFolder.make())/file"
        try Data().write(to: URL(filePath: file))
        let ended = try await PerennialProcess(
            ["serve", "--port", "0"] + arguments.map { $0.replacing("FILE", with: file) }
        ).ended()
        #expect(ended.status == 1)
        #expect(ended.errors.contains(error.replacing("FILE", with: file)), "\(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
    }

    @Test(arguments: ["--catalog", "--storekit"])
    func `a folder in place of a file is reported as one`(option: String) async throws {
        let folder = try TemporaryFolder.make()
        let ended = try await PerennialProcess(["serve", "--in-memory", option, folder]).ended()
        #expect(ended.status == 65)
        #expect(ended.errors.contains("\(folder): expected a file, found a folder"), "\(ended.errors)")
    }

    static let catalogs: [(option: String, name: String, text: String?, place: String)] = [
        ("--catalog", "a.yaml", nil, "a.yaml"),
        ("--catalog", "b.yaml", "bundleId: com.example.b\nproducts:\n  - id: [", "b.yaml:"),
        (
            "--catalog", "c.yaml", "bundleId: com.example.c\nproducts:\n  - {id: x, type: rental, price: 1}\n",
            "c.yaml:3:"
        ),
        (
            "--catalog", "d.yaml", "bundleId: com.example.d\nproducts:\n  - {id: x, type: consumable, price: much}\n",
            "d.yaml:3:"
        ),
        ("--storekit", "e.storekit", "{ \"products\": [ }", "e.storekit"),
        (
            "--storekit", "f.storekit",
            "{\"products\": [{\"productID\": 7}], \"version\": {\"major\": 2, \"minor\": 0}}", "products[0]"
        ),
    ]

    @Test(arguments: catalogs)
    func `a bad catalog is exit code 65, with the file and the place`(
        option: String, name: String, text: String?, place: String
    ) async throws {
        let folder = try TemporaryFolder.make()
        let path = "\(folder)/\(name)"
        if let text { try Data(text.utf8).write(to: URL(filePath: path)) }
        let ended = try await PerennialProcess(["serve", "--port", "0", "--data", "\(folder)/data", option, path])
            .ended()
        #expect(ended.status == 65)
        #expect(ended.errors.contains(path), "\(ended.errors)")
        #expect(ended.errors.contains(place), "\(ended.errors)")
    }

    @Test func `two apps with one number are exit code 65, naming both`() async throws {
        let folder = try TemporaryFolder.make()
        var arguments = ["serve", "--port", "0", "--data", "\(folder)/data"]
        for bundleID in ["com.example.one", "com.example.two"] {
            let path = "\(folder)/\(bundleID).yaml"
            let products = "products:\n  - {id: x, type: consumable, price: 1}\n"
            let text = "bundleId: \(bundleID)\nappleId: 1600000009\n" + products
            try Data(text.utf8).write(to: URL(filePath: path))
            arguments += ["--catalog", path]
        }
        let ended = try await PerennialProcess(arguments).ended()
        #expect(ended.status == 65)
        #expect(ended.errors.contains("com.example.one") && ended.errors.contains("com.example.two"), "\(ended.errors)")
    }

    private func permissions(_ path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }
}
