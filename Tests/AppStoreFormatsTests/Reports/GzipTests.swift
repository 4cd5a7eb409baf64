import TestRandomness
import Testing

@testable import AppStoreFormats

struct GzipTests {
    private static func compressed(_ chunks: [[UInt8]]) throws -> [UInt8] {
        let encoder = try GzipEncoder()
        return try chunks.reduce([]) { try $0 + encoder.compress($1) } + encoder.finish()
    }

    @Test func `the same bytes are the same file, without a time or a name`() throws {
        let text = Array("Provider\tUnits\nAPPLE\t1\n".utf8)
        let file = try Self.compressed([text])
        let again = try Self.compressed([text])
        #expect(file == again)
        // RFC 1952: magic number, deflate, no flags, no time, normal compression, Unix.
        #expect(Array(file.prefix(10)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
        #expect(try Gzip.decompress(file, limit: 1000) == text)
    }

    @Test func `a stream of chunks of any size is read again`() throws {
        var generator = SeededGenerator(seed: 3)
        let chunks = [0, 1, 64 << 10, 1_000_003, 7].map { count in
            (0..<count).map { _ in UInt8.random(in: 60...90, using: &generator) }
        }
        let file = try Self.compressed(chunks)
        let all = chunks.flatMap { $0 }
        #expect(file.count < all.count)
        #expect(try Gzip.decompress(file, limit: all.count) == all)
        #expect(throws: GzipError.tooLarge) { try Gzip.decompress(file, limit: all.count - 1) }
    }

    @Test func `several members are one file`() throws {
        let file = try Self.compressed([[1, 2, 3]]) + Self.compressed([[4, 5]])
        #expect(try Gzip.decompress(file, limit: 10) == [1, 2, 3, 4, 5])
    }

    @Test func `a damaged or incomplete file is refused`() throws {
        let file = try Self.compressed([Array(repeating: 65, count: 5000)])
        for length in 0..<file.count {
            #expect(throws: GzipError.damaged, "\(length)") {
                try Gzip.decompress(Array(file.prefix(length)), limit: 9999)
            }
        }
        var damaged = file
        damaged[file.count - 6] ^= 1
        #expect(throws: GzipError.damaged) { try Gzip.decompress(damaged, limit: 9999) }
    }
}
