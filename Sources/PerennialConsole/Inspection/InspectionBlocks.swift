import AppStoreFormats
import Perennial

/// The blocks that show an inspection: its checks, its contents, its certificates, and what is inside of it.
struct InspectionBlocks {
    /// The most fields in one table; the JSON below has all.
    private static let maximumFields = 300

    let request: PageRequest

    func blocks(of inspection: Inspection) -> [Block] {
        let found = Self.found(in: inspection)
        let facts: [Block] =
            found.isEmpty ? [] : [.section(.phrase(InspectionPhrases.found), [.facts(found)])]
        return [.notice(notice(inspection))] + facts + details(of: inspection)
    }

    /// The kind of each thing inside, by the path that leads to it.
    private static func found(in inspection: Inspection, below path: String = "") -> [Fact] {
        inspection.parts.flatMap { part in
            let name = path.isEmpty ? part.name : "\(path).\(part.name)"
            let isGood = part.inspection.succeeded
            let fact = Fact(
                .data(name),
                Cell(.phrase(InspectionTexts.phrase(part.inspection.kind)), status: isGood ? .good : .bad))
            return [fact] + found(in: part.inspection, below: name)
        }
    }

    private func notice(_ inspection: Inspection) -> Notice {
        let kind = Text.phrase(InspectionTexts.phrase(inspection.kind))
        let failed = Self.failures(of: inspection).map { Text.phrase(InspectionTexts.phrase($0.name)) }
        let advice: Text =
            failed.isEmpty
            ? .phrase(InspectionPhrases.allPassed) : .phrase(InspectionPhrases.someFailed, .list(failed))
        return Notice(status: failed.isEmpty ? .good : .bad, text: kind, advice: advice)
    }

    private static func failures(of inspection: Inspection) -> [Inspection.Check] {
        inspection.checks.filter { $0.outcome == .failed } + inspection.parts.flatMap { failures(of: $0.inspection) }
    }

    private func details(of inspection: Inspection) -> [Block] {
        var blocks: [Block] = []
        if !inspection.checks.isEmpty {
            blocks.append(.section(.phrase(InspectionPhrases.checks), [.checks(inspection.checks.map(check))]))
        }
        if !inspection.layers.isEmpty {
            blocks.append(
                .details(
                    .phrase(InspectionPhrases.layers),
                    inspection.layers.map { .paragraph(InspectionTexts.text($0)) }))
        }
        let links = self.links(to: inspection.references)
        if !links.isEmpty { blocks.append(.section(.phrase(InspectionPhrases.ids), [.links(links)])) }
        if !inspection.fields.isEmpty {
            blocks.append(.section(.phrase(InspectionPhrases.contents), [.table(fields(of: inspection))]))
        }
        if !inspection.json.isEmpty {
            let sample = CodeSample(label: .phrase(InspectionPhrases.decoded), text: inspection.json)
            blocks.append(.details(.phrase(InspectionPhrases.decoded), [.code(sample)]))
        }
        if !inspection.certificates.isEmpty {
            blocks.append(
                .section(.phrase(InspectionPhrases.certificates), [.table(Self.table(of: inspection.certificates))]))
        }
        for part in inspection.parts {
            let kind = Text.phrase(InspectionTexts.phrase(part.inspection.kind))
            blocks.append(
                .section(.phrase(InspectionPhrases.part, .data(part.name), kind), details(of: part.inspection)))
        }
        return blocks
    }

    private func check(_ check: Inspection.Check) -> Check {
        let outcome: Check.Outcome =
            switch check.outcome {
            case .passed: .passed
            case .failed: .failed
            case .skipped: .skipped
            }
        let sample = CodeSample(label: .phrase(InspectionPhrases.bytes), text: check.bytes)
        return Check(
            outcome: outcome, name: .phrase(InspectionTexts.phrase(check.name)),
            reason: InspectionTexts.text(check.finding), details: check.bytes.isEmpty ? [] : [.code(sample)])
    }

    // MARK: - Contents

    private func fields(of inspection: Inspection) -> Table {
        let document = InspectionDocument(inspection)
        let rows = document.fields.filter { $0.part == nil }.prefix(Self.maximumFields).map { field in
            let name = field.name.split(separator: ".").last.map(String.init) ?? field.name
            let reference = inspection.references.first { $0.id == field.value && $0.isKnown == true }
            let note = field.note.map { [Text.data(" · "), FieldTexts.note($0)] } ?? []
            let meaning = FieldTexts.meaning(of: name)
            return Table.Row([
                Cell(.data(field.name), title: meaning == .none ? .data(name) : meaning, isFixedWidth: true),
                Cell(.joined([.data(field.value)] + note), path: reference.flatMap(path), isFixedWidth: true),
                Cell(meaning),
            ])
        }
        return Table(
            caption: .phrase(InspectionPhrases.contents),
            columns: [
                Table.Column(.phrase(InspectionPhrases.field), .leading, .primary),
                Table.Column(.phrase(InspectionPhrases.value), .leading, .primary),
                Table.Column(.phrase(InspectionPhrases.meaning), .leading, .wideOnly),
            ], rows: rows)
    }

    private func links(to references: [InspectionReference]) -> [Link] {
        references.filter { $0.isKnown == true }.compactMap { reference in
            path(reference).map { Link(.data(reference.id), $0) }
        }
    }

    /// The page of what an ID names; `nil` without one.
    private func path(_ reference: InspectionReference) -> String? {
        switch reference.kind {
        case .transaction: request.allows(.support) ? request.path("transactions/\(reference.id)") : nil
        case .order:
            OrderID(reference.id).flatMap { order in
                request.allows(.support) ? request.path("transactions/\(order.transactionID)") : nil
            }
        case .notification, .uuid: request.path("notifications/\(reference.id.lowercased())")
        case .product: request.path("products/\(ConsolePath.encoded(reference.id))")
        case .key: request.allows(.administer) ? request.path("keys/\(ConsolePath.encoded(reference.id))") : nil
        case .app, .accountToken: nil
        }
    }

    // MARK: - Certificates

    static func table(of certificates: [InspectedCertificate]) -> Table {
        Table(
            caption: .phrase(InspectionPhrases.certificates),
            columns: [
                Table.Column(.phrase(Words.name), .leading, .primary),
                Table.Column(.phrase(InspectionPhrases.role), .leading, .primary),
                Table.Column(.phrase(InspectionPhrases.origin)),
                Table.Column(.phrase(InspectionPhrases.keyType)),
                Table.Column(.phrase(InspectionPhrases.validFrom), .leading, .wideOnly),
                Table.Column(.phrase(InspectionPhrases.validTo)),
                Table.Column(.phrase(InspectionPhrases.serialNumber), .leading, .wideOnly),
            ],
            rows: certificates.map { certificate in
                Table.Row([
                    Cell(.data(certificate.subject), title: .data("SHA-256 \(certificate.fingerprint)")),
                    Cell(.phrase(role(certificate.role))), Cell(origin(certificate.origin)),
                    Cell(.data(certificate.key)), Cell(.data(certificate.notBefore)), Cell(.data(certificate.notAfter)),
                    .id(certificate.serialNumber),
                ])
            })
    }

    private static func role(_ role: InspectedCertificate.Role) -> Phrase {
        switch role {
        case .leaf: InspectionPhrases.leaf
        case .intermediate: InspectionPhrases.intermediate
        case .root: InspectionPhrases.root
        }
    }

    private static func origin(_ origin: InspectedCertificate.Origin) -> Text {
        switch origin {
        case .thisStore: .phrase(InspectionPhrases.thisStore)
        case .apple: .data("Apple")
        case .xcode: .data("Xcode")
        case .otherStore: .phrase(InspectionPhrases.otherStore)
        case .unknown: .phrase(InspectionPhrases.unknownOrigin)
        }
    }
}
