/// Statements that take the numbers of journal positions from the settings of their transaction, where
/// ``SQL/numberSlot`` has put them: the server replaces provisional positions itself.
struct NumberedStatements {
    /// The places of provisional positions among a statement's values.
    private struct Key: Hashable {
        let sql: SQL
        let places: [Int]
        /// The index of each place's slot among the statement's slots.
        let slots: [Int]
    }

    private static let countMax = 256

    private var known: [Key: SQL] = [:]

    /// Returns the statement and its values with real positions; the same ones if no value is a provisional position.
    mutating func numbered(
        _ sql: SQL, _ values: [SQLValue], _ positions: ProvisionalPositions
    ) throws -> (sql: SQL, values: [SQLValue]) {
        var (places, slots, settings): ([Int], [Int], [String]) = ([], [], [])
        for (place, value) in values.enumerated() {
            guard let slot = positions.slot(of: value) else { continue }
            let setting = positions.slots[slot].setting
            places.append(place)
            slots.append(settings.firstIndex(of: setting) ?? settings.count)
            if slots[slots.count - 1] == settings.count { settings.append(setting) }
        }
        guard !places.isEmpty else { return (sql, values) }
        let key = Key(sql: sql, places: places, slots: slots)
        let made = try known[key] ?? Self.make(key, values: values.count)
        if known.count == Self.countMax { known.removeAll(keepingCapacity: true) }
        known[key] = made
        return (made, values + settings.map { .text($0) })
    }

    /// Adds the slot's difference to each provisional position. The names of the settings follow the statement's own values.
    private static func make(_ key: Key, values: Int) throws -> SQL {
        let bytes = Array(key.sql.text.utf8)
        let slots = Dictionary(zip(key.places, key.slots)) { first, _ in first }
        var scanner = PlaceholderScanner(key.sql.text)
        var (made, end): ([UInt8], Int) = ([], 0)
        while let place = try scanner.nextPlace() {
            guard let slot = slots[place.number - 1] else { continue }
            made += bytes[end..<place.bytes.lowerBound]
            made += "($\(place.number) + \(SQL.difference(values + slot + 1)))".utf8
            end = place.bytes.upperBound
        }
        made += bytes[end...]
        return SQL(String(decoding: made, as: UTF8.self))
    }
}

extension SQL {
    fileprivate static func difference(_ place: Int) -> String { "CAST(current_setting($\(place)) AS BIGINT)" }

    /// True for a statement that ``NumberedStatements`` has made.
    var isNumbered: Bool { !isLiteral && text.contains("CAST(current_setting($") }
}
