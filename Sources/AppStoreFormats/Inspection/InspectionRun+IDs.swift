import Foundation
import Perennial

/// IDs, which a store looks up, and report files.
extension InspectionRun {
    /// - Returns: `nil` for text that isn't an ID.
    func inspectID(_ text: String) -> Inspection? {
        guard text.utf8.count <= 40 else { return nil }
        if UUID(uuidString: text) != nil { return named(.uuid, .uuid, text.lowercased()) }
        if (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) {
            return named(.transactionID, .transaction, text)
        }
        if OrderID(text) != nil { return named(.orderID, .order, text.uppercased()) }
        if text.utf8.count == 32, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) {
            var inspection = Inspection(.sharedSecret)
            inspection.skip(.sharedSecret, .init(.storeNeeded))
            return inspection
        }
        return nil
    }

    private func named(
        _ kind: Inspection.Kind, _ reference: InspectionReference.Kind, _ id: String
    ) -> Inspection {
        var inspection = Inspection(kind)
        inspection.references = [InspectionReference(reference, id)]
        inspection.fields = [Inspection.Field("id", id)]
        inspection.skip(.known, .init(.storeNeeded))
        return inspection
    }

    /// The most rows of a report that are shown.
    private static let maximumRows = 20

    /// Inspects a file of Sales and Trends: gzip, or text with tabs in its first line.
    ///
    /// - Returns: `nil` for other data.
    mutating func inspectReport(_ bytes: [UInt8]) -> Inspection? {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let isText = line.contains(UInt8(ascii: "\t")) && line.allSatisfy { $0 >= 32 || $0 == 9 || $0 == 13 }
        let isGzip = bytes.starts(with: [0x1F, 0x8B])
        // Tabs stand between the words of a receipt's property list, too, and after the braces of JSON.
        guard isGzip || isText && line.first.map({ $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "\t") }) ?? false
        else {
            return nil
        }
        var inspection = Inspection(.report)
        do {
            let table = try ReportTable(isGzip ? try Gzip.decompress(bytes, limit: Inspector.maximumSize) : bytes)
            let layout = ReportLayout.layout(of: table)
            inspection.pass(
                .structure,
                .init(
                    .algorithmRight, "\(layout?.report.rawValue ?? "?") \(layout?.version ?? ""), \(table.rows.count)"))
            inspection.fields = table.rows.prefix(Self.maximumRows).enumerated().map { index, row in
                Inspection.Field(
                    "\(index + 1)", "",
                    fields: zip(table.headers, row.cells).map { Inspection.Field($0, String($1.prefix(1_000))) })
            }
        } catch {
            inspection.fail(.structure, .init(.malformed, Self.brief(error)), bytes: bytes.prefix(16))
        }
        return inspection
    }
}
