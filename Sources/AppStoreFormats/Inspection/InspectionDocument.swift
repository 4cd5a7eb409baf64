/// An inspection as JSON, for the control API and the command line: the fields of all levels are in one list.
package struct InspectionDocument: Codable, Sendable, Equatable {
    package struct Check: Codable, Sendable, Equatable {
        /// The name of the part that it is about; left out for the whole.
        package var part: String?
        package var check: String
        /// `passed`, `failed` or `skipped`.
        package var outcome: String
        /// The reason as a code.
        package var code: String
        /// The finding; for a failure, the likely reason and what would be right.
        package var reason: String
        /// Hexadecimal digits.
        package var bytes: String?
    }

    package struct Field: Codable, Sendable, Equatable {
        package var part: String?
        /// The name with the names around it: `data.bundleId`.
        package var name: String
        package var value: String
        /// The value's meaning: a date, the name of a code.
        package var note: String?
        package var meaning: String?
    }

    package struct Certificate: Codable, Sendable, Equatable {
        package var part: String?
        package var role: String
        package var origin: String
        package var subject: String
        package var issuer: String
        package var serialNumber: String
        package var notBefore: String
        package var notAfter: String
        package var key: String
        package var sha256: String
        package var markers: [String]
    }

    package struct Part: Codable, Sendable, Equatable {
        package var name: String
        package var kind: String
        /// The decoded contents.
        package var json: String?
    }

    package struct Reference: Codable, Sendable, Equatable {
        package var kind: String
        package var id: String
        /// True if this environment has it.
        package var isKnown: Bool?
    }

    package var kind: String
    package var title: String
    /// False if a check failed.
    package var succeeded: Bool
    /// The layers that were taken off.
    package var layers: [String]
    package var checks: [Check]
    package var fields: [Field]
    package var certificates: [Certificate]
    package var parts: [Part]
    package var references: [Reference]
    /// The decoded contents, where they are JSON.
    package var json: String?

    package init(_ inspection: Inspection) {
        kind = inspection.kind.rawValue
        title = inspection.kind.title
        succeeded = inspection.succeeded
        layers = inspection.layers.map(\.description)
        (checks, fields, certificates, parts) = ([], [], [], [])
        references = inspection.references.map { Reference(kind: $0.kind.rawValue, id: $0.id, isKnown: $0.isKnown) }
        json = inspection.json.isEmpty ? nil : inspection.json
        add(inspection, part: nil)
    }

    private mutating func add(_ inspection: Inspection, part: String?) {
        checks += inspection.checks.map {
            Check(
                part: part, check: $0.name.rawValue, outcome: $0.outcome.rawValue, code: $0.finding.code.rawValue,
                reason: $0.finding.description, bytes: $0.bytes.isEmpty ? nil : $0.bytes)
        }
        add(inspection.fields, below: "", part: part)
        certificates += inspection.certificates.map {
            Certificate(
                part: part, role: $0.role.rawValue, origin: $0.origin.rawValue, subject: $0.subject, issuer: $0.issuer,
                serialNumber: $0.serialNumber, notBefore: $0.notBefore, notAfter: $0.notAfter, key: $0.key,
                sha256: $0.fingerprint, markers: $0.markers)
        }
        for inner in inspection.parts {
            let name = part.map { "\($0).\(inner.name)" } ?? inner.name
            let json = inner.inspection.json
            parts.append(Part(name: name, kind: inner.inspection.kind.rawValue, json: json.isEmpty ? nil : json))
            add(inner.inspection, part: name)
        }
    }

    private mutating func add(_ fields: [Inspection.Field], below path: String, part: String?) {
        for field in fields {
            let name = path.isEmpty ? field.name : "\(path).\(field.name)"
            if field.fields.isEmpty {
                self.fields.append(
                    Field(
                        part: part, name: name, value: field.value, note: field.note.isEmpty ? nil : field.note,
                        meaning: field.meaning.isEmpty ? nil : field.meaning))
            } else {
                add(field.fields, below: name, part: part)
            }
        }
    }
}
