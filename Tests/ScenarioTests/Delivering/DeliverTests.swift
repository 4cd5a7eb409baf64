import AsyncHTTPClient
import Foundation
import PerennialDelivery
import Synchronization
import TestSupport
import Testing

/// `perennial deliver` from its start to its end, and what `serve` has in common with it.
struct DeliverTests {
    private static let nowhere = ["--store", "http://127.0.0.1:9"]

    /// A start that must fail, with one line on why.
    private func fails(_ arguments: [String]) async throws -> String {
        let ended = try await PerennialProcess(arguments).ended()
        #expect(ended.status == 1, "\(ended)")
        #expect(ended.output == "")
        #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
        return ended.errors
    }

    @Test func `a missing content folder is reported in one line`() async throws {
        let folder = "\(try TemporaryFolder.make())/none"
        let said = try await fails(try RunningDelivery.arguments(Self.nowhere, content: folder))
        #expect(said.contains("the content folder \(folder) can't be used"))
    }

    @Test func `a taken port is reported in one line`() async throws {
        let first = try await RunningDelivery.start(Self.nowhere)
        let port = try #require(URL(string: first.url)?.port)
        let said = try await fails(try RunningDelivery.arguments(Self.nowhere + ["--port", "\(port)"]))
        #expect(said.contains("port \(port) of 127.0.0.1 is taken"))
        #expect(await first.stop().status == 0)
    }

    @Test(arguments: ["foo", "ftp://x", "http://", "/tmp/store"])
    func `a --store that is no URL of HTTP is exit code 64`(url: String) async throws {
        let ended = try await PerennialProcess(try RunningDelivery.arguments(["--store", url])).ended()
        #expect(ended.status == 64)
        #expect(ended.errors.contains("--store is a URL"), "\(ended.errors)")
    }

    @Test func `an invalid root certificate is reported in one line`() async throws {
        let path = "\(try TemporaryFolder.make())/root.cer"
        #expect(
            try await fails(try RunningDelivery.arguments(["--root-certificate", path]))
                .contains("the root certificate \(path) can't be read"))
        try Data("no certificate".utf8).write(to: URL(filePath: path))
        #expect(
            try await fails(try RunningDelivery.arguments(["--root-certificate", path]))
                .contains("\(path) is no certificate"))
    }

    // MARK: - Ready files

    @Test func `a ready file that can't be written ends deliver and serve`() async throws {
        let path = "\(try TemporaryFolder.make())/none/ready.json"
        for arguments in [
            try RunningDelivery.arguments(Self.nowhere, readyFile: path),
            ["serve", "--in-memory", "--port", "0", "--ready-file", path],
        ] {
            let ended = try await PerennialProcess(arguments).ended()
            #expect(ended.status == 1)
            #expect(ended.output == "")
            let last = ended.errors.split(separator: "\n").last ?? ""
            #expect(last.contains("the ready file \(path) can't be written"), "\(ended.errors)")
        }
    }

    @Test func `a stale ready file of deliver is gone before the next start is ready`() async throws {
        let delivery = try await RunningDelivery.start(Self.nowhere)
        delivery.process.signal(SIGKILL)
        _ = await delivery.process.ended()
        #expect(FileManager.default.fileExists(atPath: delivery.readyFile))
        _ = try await fails(
            try RunningDelivery.arguments(Self.nowhere, content: "/none", readyFile: delivery.readyFile))
        #expect(!FileManager.default.fileExists(atPath: delivery.readyFile))
    }

    @Test(arguments: ["::1", "0.0.0.0"])
    func `the URL of ready file and banner answers`(host: String) async throws {
        let store = try await RunningStore.start(data: "", ["--in-memory", "--host", host])
        let delivery = try await RunningDelivery.start(Self.nowhere + ["--host", host])
        try await RunningStore.withClient { client in
            for url in [store.url, delivery.url] {
                let health = try await RunningStore.ask(client, "\(url)/health")
                #expect(health["status"] == "ok", "\(url)")
            }
            #expect(store.sandbox == "\(store.url)/sandbox")
        }
        #expect(await store.stop().output.contains(store.url))
        #expect(await delivery.stop().output.contains(delivery.url))
    }

    // MARK: - What the seller forgot

    private static let monthly = """
          - {id: monthly, type: auto-renewable, price: 4.99, subscription: {group: news, period: P1M}}
          - {id: filter.gone, type: non-consumable, price: 1.99, content: {id: gone, file: gone.pack}}
        """

    @Test func `missing files and missing secrets are reported at the start`() async throws {
        let folder = try RunningDelivery.makeContent()
        var arguments = try RunningDelivery.arguments(
            Self.nowhere, content: folder, appendix: RunningDelivery.products + Self.monthly)
        let catalog = try #require(arguments.firstIndex(of: "--catalog").map { arguments[$0 + 1] })
        let text = try String(contentsOfFile: catalog, encoding: .utf8)
        try text.split(separator: "\n").filter { !$0.hasPrefix("sharedSecret") }.joined(separator: "\n")
            .write(toFile: catalog, atomically: true, encoding: .utf8)
        for (variables, warns) in [([:], true), (["PERENNIAL_SHARED_SECRET": "secret"], false)] {
            let process = try PerennialProcess(arguments, environment: variables)
            try await process.untilReady()
            process.signal(SIGTERM)
            let ended = await process.ended()
            #expect(ended.errors.contains("com.example.camera sells auto-renewable") == warns, "\(ended.errors)")
            #expect(ended.errors.contains("the content gone of com.example.camera"), "\(ended.errors)")
            #expect(!ended.errors.contains("the content rose"), "\(ended.errors)")
        }
        arguments = ["serve", "--in-memory", "--port", "0", "--content", folder, "--catalog", catalog]
        let serving = try PerennialProcess(arguments)
        try await serving.untilReady()
        serving.signal(SIGTERM)
        #expect(await serving.ended().errors.contains("the content gone of com.example.camera"))
    }

    @Test func `a wrong shared secret is reported as the seller's mistake`() async throws {
        let store = try await RunningStore.start(data: "", ["--in-memory"], appendix: Self.monthly)
        let delivery = try await RunningDelivery.start(
            ["--store", store.url], environment: ["PERENNIAL_SHARED_SECRET": "wrong"])
        try await RunningStore.withClient { client in
            let sold = try await RunningStore.ask(
                client, "\(store.sandbox)/control/v1/purchases",
                ["bundleId": .string(RunningStore.bundleID), "account": "ann", "productId": "monthly"],
                bearer: store.controlToken)
            let reply = try await RunningDelivery.grant(client, delivery.url, sold["appReceipt"])
            #expect(reply.status == 503)
            #expect(reply["error"]?["code"] == "sharedSecretWrong")
            #expect(reply["error"]?["status"] == 21004)
        }
        let said = await delivery.stop().errors
        #expect(said.contains("error") && said.contains("shared secret"), "\(said)")
        await store.stop()
    }

    // MARK: - Refunds and Sandbox, from end to end

    @Test func `deliver and serve trust notifications under the store's root`() async throws {
        let receiver = SellersReceiver()
        try await receiver.run { hook in
            let content = try RunningDelivery.makeContent()
            let store = try await RunningStore.start(
                data: try TemporaryFolder.make(), ["--content", content, "--notifications", hook],
                appendix: RunningDelivery.products)
            let delivery = try await RunningDelivery.start(["--store", store.url])
            let named = try await RunningDelivery.start(
                ["--store", store.url, "--root-certificate", try #require(store.ready["rootCertificate"]?.text)])
            // The URL of one environment: its root is below it.
            let below = try await RunningDelivery.start(["--store", store.sandbox])
            let urls = [store.url, delivery.url, named.url, below.url]
            var arrivals = receiver.arrivals.makeAsyncIterator()
            let old = try await sellAndRefund(store, urls)
            // The purchase, and its refund.
            for _ in 1...2 { _ = await arrivals.next() }
            let payloads = receiver.payloads.withLock { $0 }
            try await RunningStore.withClient { client in
                for url in urls {
                    // No notification has reached it yet.
                    let before = try await RunningDelivery.grant(client, url, old)
                    #expect(before["content"]?.elements?.count == 1, "\(url)")
                    for payload in payloads {
                        let reply = try await RunningStore.ask(
                            client, "\(url)/delivery/v1/notifications", ["signedPayload": .string(payload)])
                        #expect(reply.status == 200, "\(url) \(String(describing: reply.json))")
                    }
                    let after = try await RunningDelivery.grant(client, url, old)
                    #expect(after["content"]?.elements?.isEmpty == true, "\(url)")
                    #expect(after["refused"]?.elements?.first?["code"] == "revoked", "\(url)")
                }
            }
            await delivery.stop()
            await named.stop()
            await below.stop()
            await store.stop()
        }
    }

    /// - Returns: The receipt of before the refund.
    private func sellAndRefund(_ store: RunningStore, _ urls: [String]) async throws -> JSONValue? {
        try await RunningStore.withClient { client in
            let sold = try await RunningStore.ask(
                client, "\(store.sandbox)/control/v1/purchases",
                ["bundleId": .string(RunningStore.bundleID), "account": "ann", "productId": "filter.rose"],
                bearer: store.controlToken)
            let id = try #require(sold["transactionId"]?.text)
            let refunded = try await RunningStore.ask(
                client, "\(store.sandbox)/control/v1/transactions/\(id)/refund", [:], bearer: store.controlToken)
            #expect(refunded.status == 200)
            return sold["appReceipt"]
        }
    }

    @Test func `a seller may refuse receipts of Sandbox, with deliver and with serve`() async throws {
        let content = try RunningDelivery.makeContent()
        let store = try await RunningStore.start(
            data: "", ["--in-memory", "--content", content, "--sandbox-receipts", "refuse"],
            appendix: RunningDelivery.products)
        let strict = try await RunningDelivery.start(["--store", store.url, "--sandbox-receipts", "refuse"])
        let open = try await RunningDelivery.start(["--store", store.url])
        try await RunningStore.withClient { client in
            let all = [store.url, strict.url, open.url]
            for (environment, accepted) in [("Sandbox", [open.url]), ("Production", all)] {
                let base = try #require(store.ready["environments"]?[environment]?.text)
                let sold = try await RunningStore.ask(
                    client, "\(base)/control/v1/purchases",
                    ["bundleId": .string(RunningStore.bundleID), "account": "ann", "productId": "filter.rose"],
                    bearer: store.controlToken)
                for url in all {
                    let reply = try await RunningDelivery.grant(client, url, sold["appReceipt"])
                    if accepted.contains(url) {
                        #expect(reply["content"]?.elements?.count == 1, "\(environment) \(url)")
                    } else {
                        #expect(reply.status == 403)
                        #expect(reply["error"]?["code"] == "sandboxReceiptRefused", "\(environment) \(url)")
                    }
                }
            }
        }
        #expect(await strict.stop().output.contains("receipts are refused"))
        await open.stop()
        await store.stop()
    }
}
