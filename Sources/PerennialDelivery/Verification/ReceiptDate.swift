import Perennial

/// The spellings of dates in verifyReceipt's answers.
enum ReceiptDate {
    /// 9999-12-31T23:59:59.999Z: whatever lies beyond is no date of commerce.
    static let latest: Int64 = 253_402_300_799_999

    /// Milliseconds since 1970 in decimal; a fraction is cut.
    static func milliseconds(_ text: String) -> Instant? {
        let whole = text.prefix { $0 != "." }
        guard !whole.isEmpty, whole.utf8.count <= 15, whole.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int64(whole), number <= latest
        else { return nil }
        return Instant(milliseconds: number)
    }

    /// `2015-08-13 07:50:46 Etc/GMT`.
    static func gmt(_ text: String) -> Instant? {
        let parts = text.split(separator: " ")
        guard parts.count == 3, parts[2] == "Etc/GMT" else { return nil }
        return Instant(rfc3339: "\(parts[0])T\(parts[1])Z")
    }
}
