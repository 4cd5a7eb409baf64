import BaseEncoding
import Crypto
import Foundation
import Perennial

/// SHA-256 of a growing journal.
struct JournalDigest: Sendable {
    private var hash = SHA256()
    private(set) var last: Int64 = 0

    mutating func append(_ position: Int64, _ entry: JournalEntry) {
        hash.update(data: Data(JournalText.line(position, entry).utf8))
        last = position
    }

    /// Digest of the lines so far, in hexadecimal.
    var text: String {
        Hexadecimal.encode(hash.finalize())
    }
}
