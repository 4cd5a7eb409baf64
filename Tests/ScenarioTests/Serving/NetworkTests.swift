import AsyncHTTPClient
import Foundation
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOSSL
import PerennialHTTP
import TestSupport
import Testing

/// `perennial serve` and `perennial deliver` between clients and receivers that don't keep to the rules.
@Suite(.timeLimit(.minutes(2)))
struct NetworkTests {
    @Test func `a shutdown cuts slow connections and warns about it`() async throws {
        let store = try await RunningStore.start(
            data: try TemporaryFolder.make(), ["--in-memory", "--shutdown-timeout", "1"])
        let delivery = try await RunningDelivery.start(["--store", store.url, "--shutdown-timeout", "1"])
        for (url, path, process) in [
            (store.url, "/sandbox/store/v1/devices", store.process),
            (delivery.url, "/delivery/v1/grants", delivery.process),
        ] {
            let connection = try await RawConnection(port: try #require(URL(string: url)?.port))
            connection.send(
                "POST \(path) HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n")
            try await connection.until("100 Continue")
            connection.dribble(" ")
            process.signal(SIGTERM)
            let ended = await process.ended()
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(ended.errors.contains("the shutdown took longer than 1 seconds"), "\(ended.errors)")
            #expect(ended.errors.contains("POST \(path): its body is incomplete"), "\(ended.errors)")
            _ = try await connection.untilEnd()
        }
    }

    @Test func `an endless answer of a receiver delays neither clock nor shutdown`() async throws {
        let (never, keep) = AsyncStream.makeStream(of: Void.self)
        defer { keep.finish() }
        let router = Router()
        router.post("hook") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(contentLength: 5) { writer in
                    try await writer.write(ByteBuffer(string: "a"))
                    for await _ in never {}
                })
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let receiver = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: TestStore.quiet)
        let serving = Task { try await receiver.run() }
        defer { serving.cancel() }
        var iterator = ports.makeAsyncIterator()
        let hook = "http://127.0.0.1:\(await iterator.next() ?? 0)/hook"
        let store = try await RunningStore.start(data: try TemporaryFolder.make(), ["--in-memory"])
        try await RunningStore.withClient { client in
            let made = try await RunningStore.ask(
                client, "\(store.url)/control/v1/environments",
                ["name": "staging", "kind": "Sandbox", "clock": "manual"], bearer: store.controlToken)
            #expect(made.status == 201)
            let staging = "\(store.url)/environments/staging/control/v1"
            _ = try await RunningStore.ask(
                client, "\(staging)/apps/\(RunningStore.bundleID)/notifications",
                ["url": .string(hook), "timeoutMilliseconds": 200, "retries": "full"], bearer: store.controlToken,
                method: .PUT)
            for number in 0..<5 {
                let sold = try await RunningStore.ask(
                    client, "\(staging)/purchases",
                    [
                        "bundleId": .string(RunningStore.bundleID), "account": .string("\(number)"),
                        "productId": "film.roll",
                    ], bearer: store.controlToken)
                #expect(sold.status == 200)
            }
            let advanced = try await RunningStore.ask(
                client, "\(staging)/clock/advance", ["by": "P30D"], bearer: store.controlToken)
            #expect(advanced.status == 200)
        }
        let ended = await store.stop()
        #expect(ended.status == 0)
        #expect(ended.errors == "")
    }

    @Test func `TLS 1.0 and 1.1 are refused`() async throws {
        let store = try await RunningStore.start(
            data: try TemporaryFolder.make(), ["--in-memory", "--tls", "--tls-port", "0"])
        let port = try #require(store.ready["tls"]?["port"]?.number)
        for (version, isSpoken) in [(TLSVersion.tlsv1, false), (.tlsv11, false), (.tlsv12, true), (.tlsv13, true)] {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(try #require(store.ready["tls"]?["trust"]?.text))
            (tls.minimumTLSVersion, tls.maximumTLSVersion) = (version, version)
            var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
            configuration.connectionPool.retryConnectionEstablishment = false
            let client = HTTPClient(configuration: configuration)
            let reply = try? await RunningStore.ask(client, "https://localhost:\(port)/health")
            #expect((reply?.status == 200) == isSpoken, "\(version)")
            try await client.shutdown()
        }
        await store.stop()
    }

    @Test func `servers answer under their own and the allowed names`() async throws {
        let store = try await RunningStore.start(
            data: try TemporaryFolder.make(),
            ["--in-memory", "--allow-host", "shop.test", "--public-url", "https://public.test:8443"])
        let delivery = try await RunningDelivery.start(["--store", store.url, "--allow-host", "shop.test"])
        try await RunningStore.withClient { client in
            for (url, host, isAllowed) in [
                (store.url, "shop.test", true), (store.url, "evil.test", false), (store.url, "public.test", true),
                (store.url, "buy.itunes.apple.com", true), (delivery.url, "shop.test", true),
                (delivery.url, "evil.test", false), (delivery.url, "localhost:1", true),
            ] {
                var request = HTTPClientRequest(url: "\(url)/health")
                request.headers.add(name: "Host", value: host)
                let status = try await client.execute(request, timeout: .seconds(60)).status
                #expect(status == (isAllowed ? .ok : .forbidden), "\(url) as \(host)")
            }
        }
        await delivery.stop()
        await store.stop()
    }
}
