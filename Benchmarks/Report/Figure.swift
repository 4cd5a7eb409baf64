/// A measured value beside its limit.
struct Figure: Encodable {
    enum Requirement {
        case atLeast(Double)
        case atMost(Double)
    }

    let name: String
    let unit: String
    let ours: Double
    /// The same unit, measured in the same run; `nil` where a number stands for itself.
    let limit: Double?
    let requirement: Requirement?
    /// Facts for a person: percentiles, sizes, settings read back.
    let notes: [String]

    init(
        _ name: String, _ unit: String, ours: Double, limit: Double? = nil, _ requirement: Requirement? = nil,
        notes: [String] = []
    ) {
        self.name = name
        self.unit = unit
        self.ours = ours
        self.limit = limit
        self.requirement = requirement
        self.notes = notes
    }

    var ratio: Double? { limit.map { ours / $0 } }

    /// `nil` where nothing is required.
    var isMet: Bool? {
        guard let ratio, let requirement else { return nil }
        switch requirement {
        case .atLeast(let least): return ratio >= least
        case .atMost(let most): return ratio <= most
        }
    }

    private enum CodingKeys: String, CodingKey {
        case name, unit, ours, limit, ratio, atLeast, atMost, isMet, notes
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(unit, forKey: .unit)
        try container.encode(ours, forKey: .ours)
        try container.encodeIfPresent(limit, forKey: .limit)
        try container.encodeIfPresent(ratio, forKey: .ratio)
        switch requirement {
        case .atLeast(let least): try container.encode(least, forKey: .atLeast)
        case .atMost(let most): try container.encode(most, forKey: .atMost)
        case nil: break
        }
        try container.encodeIfPresent(isMet, forKey: .isMet)
        try container.encode(notes, forKey: .notes)
    }
}
