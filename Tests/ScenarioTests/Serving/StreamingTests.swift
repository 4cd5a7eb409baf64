import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

#if !os(Linux)
    import Subprocesses
#endif

/// A server sends content piece by piece. The benchmark measures it closely; this is to notice a file
/// that is read as a whole.
struct StreamingTests {
    private static let fileBytes = 64 << 20
    /// Two devices at once would need twice the file; buffers and the allocator's reserves need some.
    private static let grownBytesAtMost = 32 << 20
    /// The bytes read between two measurements of the server's memory.
    private static let stride = 8 << 20

    @Test func `a large file goes to slow readers in little memory`() async throws {
        let folder = try TemporaryFolder.make()
        let file = URL(filePath: "\(folder)/big.bin")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(Self.fileBytes))
        try handle.close()
        let store = try await RunningStore.start(
            data: try TemporaryFolder.make(), ["--content", folder],
            appendix: "contents:\n  - {id: big, file: big.bin, products: [filter.amber]}")
        try await RunningStore.withClient { client in
            let grant = try await grant(client, store)
            // What is kept from the first time, such as the file's digest, isn't growth.
            _ = try await download(client, store, grant)
            let before = try residentBytes(store)
            let peaks = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 { group.addTask { try await download(client, store, grant) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let grown = (peaks.max() ?? 0) - before
            #expect(grown < Self.grownBytesAtMost, "grown by \(grown >> 20) MiB from \(before >> 20) MiB")
        }
        #expect(await store.stop().status == 0)
    }

    private func grant(_ client: HTTPClient, _ store: RunningStore) async throws -> String {
        let bundleID = JSONValue.string(RunningStore.bundleID)
        let sold = try await RunningStore.ask(
            client, "\(store.sandbox)/control/v1/purchases",
            ["bundleId": bundleID, "account": "ann", "productId": "filter.amber"], bearer: store.controlToken)
        let granted = try await RunningStore.ask(
            client, "\(store.url)/delivery/v1/grants",
            ["bundleId": bundleID, "receipt": try #require(sold["appReceipt"])])
        return try #require(granted["grant"]?.text)
    }

    /// - Returns: The most memory that the server was seen to have meanwhile.
    private func download(_ client: HTTPClient, _ store: RunningStore, _ grant: String) async throws -> Int {
        var request = HTTPClientRequest(url: "\(store.url)/delivery/v1/content/big")
        request.headers.add(name: "Authorization", value: "Bearer \(grant)")
        let response = try await client.execute(request, timeout: .minutes(2))
        #expect(response.status == .ok)
        var (count, look, peak) = (0, 0, 0)
        for try await part in response.body {
            count += part.readableBytes
            guard count >= look else { continue }
            look += Self.stride
            peak = max(peak, try residentBytes(store))
        }
        #expect(count == Self.fileBytes)
        return peak
    }

    private func residentBytes(_ store: RunningStore) throws -> Int {
        let identifier = "\(store.process.identifier)"
        #if os(Linux)
            // proc(5); `ps` isn't on every machine.
            let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
            let text = status.firstMatch(of: /VmRSS:\s+(\d+) kB/).map { String($0.1) } ?? ""
        #else
            let text = try Subprocess.output(of: "/bin/ps", ["-o", "rss=", "-p", identifier]).text
                .trimmingCharacters(in: .whitespacesAndNewlines)
        #endif
        return try #require(Int(text), "\(text)") << 10
    }
}
