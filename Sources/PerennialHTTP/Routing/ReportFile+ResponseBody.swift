import Hummingbird
import NIOCore
import PerennialStore

extension ReportFile {
    /// Returns the body that sends the file, compressed, while it is made. A chunk is made when the one before has reached
    /// the connection, so that a slow client makes the report wait, and not the memory grow.
    func responseBody(_ backpressure: WriteBackpressure) -> ResponseBody {
        ResponseBody { writer in
            try await body { bytes in
                try await writer.write(ByteBuffer(bytes: bytes))
                try await backpressure.pass()
            }
            try await writer.finish(nil)
        }
    }
}
