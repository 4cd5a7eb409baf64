import PerennialDelivery
import Testing

struct ByteRangeTests {
    /// Headers with their ranges of 100 bytes; `nil` for an ignored header.
    static let headers: [(header: String, resolution: ByteRange.Resolution?)] = [
        ("bytes=0-9", .bytes(0..<10)), ("bytes=90-99", .bytes(90..<100)), ("bytes=90-1000", .bytes(90..<100)),
        ("bytes=99-99", .bytes(99..<100)), ("bytes=10-", .bytes(10..<100)), ("bytes=0-", .bytes(0..<100)),
        ("bytes=-10", .bytes(90..<100)), ("bytes=-100", .bytes(0..<100)), ("bytes=-1000", .bytes(0..<100)),
        ("bytes=50-99999999999999999999999", .bytes(50..<100)), ("bytes=-99999999999999999999999", .bytes(0..<100)),
        ("Bytes=0-9", .bytes(0..<10)), (" bytes = 0-9 ", .bytes(0..<10)),
        ("bytes=100-", .unsatisfiable), ("bytes=100-200", .unsatisfiable), ("bytes=-0", .unsatisfiable),
        ("bytes=99999999999999999999999-", .unsatisfiable),
        ("bytes=9-0", nil), ("bytes=", nil), ("bytes=-", nil), ("bytes=a-b", nil), ("bytes=0-9,20-29", nil),
        ("bytes=0x1-9", nil), ("bytes=+1-9", nil), ("bytes=1-2-3", nil), ("items=0-9", nil), ("0-9", nil), ("", nil),
        ("bytes=\u{663}-9", nil),
    ]

    @Test(arguments: headers)
    func `one range is read, everything else is ignored`(
        row: (header: String, resolution: ByteRange.Resolution?)
    ) {
        #expect(ByteRange(header: row.header)?.resolved(in: 100) == row.resolution)
    }

    @Test func `a range of an empty file is unsatisfiable`() {
        #expect(ByteRange(header: "bytes=0-")?.resolved(in: 0) == .unsatisfiable)
        #expect(ByteRange(header: "bytes=-5")?.resolved(in: 0) == .whole)
    }
}
