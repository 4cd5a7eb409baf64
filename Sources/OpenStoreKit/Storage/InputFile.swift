import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file being read, with the system's own error numbers: only `ENOENT` says that a file isn't there. A process without
/// free descriptors (`EMFILE`) and a disk that stumbles (`EIO`) say nothing of the file.
enum InputFile {
    private static let chunkSize = 256 << 10

    /// The file's bytes; `nil` where there is none.
    ///
    /// - Throws: ``StorageError``; `fileTooLarge` beyond `maximumBytes`.
    static func contents(path: String, maximumBytes: Int) throws(StorageError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw StorageError(errno: errno, path: path, doing: "open")
        }
        defer { OutputFile.close(descriptor) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: Self.chunkSize)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return data }
            if count < 0 {
                if errno == EINTR { continue }
                throw StorageError(errno: errno, path: path, doing: "read")
            }
            guard data.count + count <= maximumBytes else {
                throw StorageError(.fileTooLarge, path: path, reason: "more than \(maximumBytes) bytes")
            }
            data.append(contentsOf: buffer[..<count])
        }
    }
}
