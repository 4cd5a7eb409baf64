/// The query of a list in control/v1.
enum ListQuery {
    /// Returns the fields that have a value, behind a question mark; empty if none has.
    static func text(_ fields: KeyValuePairs<String, String?>) -> String {
        text(fields.map { ($0.key, $0.value) })
    }

    static func text(_ fields: [(name: String, value: String?)]) -> String {
        let given = fields.compactMap { field in field.value.map { "\(field.name)=\($0.percentEncoded)" } }
        return given.isEmpty ? "" : "?" + given.joined(separator: "&")
    }
}
