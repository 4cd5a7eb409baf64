import Hummingbird
import NIOCore
import NIOPosix
import PerennialDelivery

/// A part of a file as the body of an answer, in memory that doesn't grow with the file: one chunk at a time is read on
/// a thread for blocking work, and the next one only when the connection took the one before.
struct ContentBody: Sendable {
    /// The size in bytes.
    static let chunkSize = 128 << 10

    let file: ContentFile
    let bytes: Range<Int64>
    let barrier: WriteBackpressure
    /// Called once, after the last byte is handed to the connection or after it broke.
    let ended: @Sendable (_ bytesSent: Int64, _ isComplete: Bool) async -> Void

    /// Thrown if the file became shorter while it was sent: the client must see a broken answer, not a short one.
    private struct FileEnded: Error {}

    var responseBody: ResponseBody {
        ResponseBody(contentLength: Int(bytes.upperBound - bytes.lowerBound)) { writer in
            var position = bytes.lowerBound
            do {
                while position < bytes.upperBound {
                    let chunk = try await chunk(at: position)
                    let count = Int64(chunk.readableBytes)
                    try await writer.write(chunk)
                    try await barrier.pass()
                    position += count
                }
            } catch {
                await ended(position - bytes.lowerBound, false)
                throw error
            }
            await ended(position - bytes.lowerBound, true)
            try await writer.finish(nil)
        }
    }

    private func chunk(at position: Int64) async throws -> ByteBuffer {
        let wanted = Int(min(Int64(Self.chunkSize), bytes.upperBound - position))
        return try await NIOThreadPool.singleton.runIfActive {
            var buffer = ByteBufferAllocator().buffer(capacity: wanted)
            let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { space in
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<wanted]), at: position)
            }
            guard count > 0 else { throw FileEnded() }
            return buffer
        }
    }
}
