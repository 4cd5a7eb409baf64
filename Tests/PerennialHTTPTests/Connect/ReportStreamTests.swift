import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import PerennialStore
import Synchronization
import Testing

@testable import PerennialHTTP

/// A report is sent while it is made.
struct ReportStreamTests {
    private static let chunk = [UInt8](repeating: 7, count: 64 << 10)
    private static let chunks = 4096

    /// The bytes that the report has made and the connection has taken.
    private final class Progress: Sendable {
        struct Counts {
            var made = 0
            var taken = 0
            var greatestLead = 0
            var isFinished = false
        }

        let counts = Mutex(Counts())
    }

    private struct Writer: ResponseBodyWriter {
        let progress: Progress

        mutating func write(_ buffer: ByteBuffer) async throws {
            progress.counts.withLock { counts in
                counts.greatestLead = max(counts.greatestLead, counts.made - counts.taken)
                counts.taken += buffer.readableBytes
            }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
            progress.counts.withLock { $0.isFinished = true }
        }
    }

    @Test func `a report of 256 MB is never held as a whole`() async throws {
        let progress = Progress()
        let file = ReportFile(name: "S_D_80000000_20260101", rows: 1, text: nil) { write in
            for _ in 0..<Self.chunks {
                progress.counts.withLock { $0.made += Self.chunk.count }
                try await write(Self.chunk[...])
            }
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let response = ReportBindings.response(file, WriteBackpressure(loop))
        #expect(response.headers[.contentLength] == nil)
        try await response.body.write(Writer(progress: progress))
        progress.counts.withLock { counts in
            #expect(counts.taken == Self.chunks * Self.chunk.count)
            #expect(counts.greatestLead == Self.chunk.count)
            #expect(counts.isFinished)
        }
    }
}
