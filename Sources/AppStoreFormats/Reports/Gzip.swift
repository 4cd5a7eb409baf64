import CZlib

/// The reason that gzip's data can't be made or read.
package enum GzipError: Error {
    case outOfMemory
    case damaged
    case tooLarge
}

/// Compresses a stream of bytes with the system's zlib, in memory that doesn't grow with the stream.
///
/// The same bytes give the same data: the header has neither a time nor a name.
package final class GzipEncoder {
    /// The number of bytes that zlib writes at once.
    private static let chunkSize = 64 << 10
    /// Unix, whatever the machine.
    private static let system: Int32 = 3

    // zlib keeps pointers to both, so they must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let header: UnsafeMutablePointer<gz_header>
    private var output = [UInt8](repeating: 0, count: GzipEncoder.chunkSize)

    /// - Throws: ``GzipError`` `.outOfMemory`.
    package init() throws {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        header = .allocate(capacity: 1)
        header.initialize(to: gz_header())
        header.pointee.os = Self.system
        guard czlib_deflate_init_gzip(stream, Z_DEFAULT_COMPRESSION) == Z_OK,
            deflateSetHeader(stream, header) == Z_OK
        else { throw GzipError.outOfMemory }
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
        header.deinitialize(count: 1)
        header.deallocate()
    }

    /// Returns the compressed data that is complete so far; often none, because zlib collects bytes.
    package func compress(_ bytes: [UInt8]) throws -> [UInt8] { try run(bytes, Z_NO_FLUSH) }

    /// Returns the rest of the data, with the checksum.
    package func finish() throws -> [UInt8] { try run([], Z_FINISH) }

    private func run(_ bytes: [UInt8], _ flush: Int32) throws -> [UInt8] {
        var result: [UInt8] = []
        var bytes = bytes
        try bytes.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = uInt(clamping: input.count)
            var isFull = true
            while isFull {
                let status = output.withUnsafeMutableBufferPointer { space in
                    stream.pointee.next_out = space.baseAddress
                    stream.pointee.avail_out = uInt(clamping: space.count)
                    return deflate(stream, flush)
                }
                guard status != Z_STREAM_ERROR else { throw GzipError.damaged }
                let free = Int(stream.pointee.avail_out)
                result.append(contentsOf: output.prefix(output.count - free))
                isFull = free == 0
            }
            stream.pointee.next_in = nil
        }
        return result
    }
}

/// Reads gzip's data.
package enum Gzip {
    /// Decompresses data of one or more members.
    ///
    /// - Parameter limit: The most bytes of the result.
    /// - Throws: ``GzipError`` `.damaged`, `.tooLarge`, `.outOfMemory`.
    package static func decompress(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
        // zlib keeps a pointer to it, so it must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer {
            inflateEnd(stream)
            stream.deinitialize(count: 1)
            stream.deallocate()
        }
        guard czlib_inflate_init_gzip(stream) == Z_OK else { throw GzipError.outOfMemory }
        var result: [UInt8] = []
        var output = [UInt8](repeating: 0, count: 64 << 10)
        var bytes = bytes
        try bytes.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = uInt(clamping: input.count)
            var isComplete = false
            while !isComplete {
                let status = output.withUnsafeMutableBufferPointer { space in
                    stream.pointee.next_out = space.baseAddress
                    stream.pointee.avail_out = uInt(clamping: space.count)
                    return inflate(stream, Z_NO_FLUSH)
                }
                result.append(contentsOf: output.prefix(output.count - Int(stream.pointee.avail_out)))
                guard result.count <= limit else { throw GzipError.tooLarge }
                switch status {
                case Z_OK: break
                case Z_STREAM_END:
                    isComplete = stream.pointee.avail_in == 0
                    // Another member follows.
                    guard isComplete || inflateReset(stream) == Z_OK else { throw GzipError.damaged }
                default: throw GzipError.damaged
                }
            }
        }
        return result
    }
}
