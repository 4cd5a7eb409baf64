import Perennial

/// The contents of a form: the stored values at first; after a refusal what was sent, with the refusal at its field.
struct FormState: Sendable {
    private let sent: FormValues?
    let refusal: Refusal?

    /// The stored values.
    static let new = FormState(nil, nil)

    init(_ sent: FormValues?, _ refusal: Refusal? = nil) {
        (self.sent, self.refusal) = (sent, refusal)
    }

    /// 200, 422 after a refusal, 409 if another writer was first.
    var status: Int { refusal.map { $0.isConflict ? 409 : 422 } ?? 200 }

    func value(_ name: String, _ stored: String = "") -> String { sent.map { $0[name] } ?? stored }

    func isTicked(_ name: String, _ stored: Bool = false) -> Bool { sent.map { $0.isTicked(name) } ?? stored }

    /// Returns a field with its value and its error.
    func field(
        _ name: String, _ label: Phrase, _ kind: Field.Kind = .text, _ stored: String = "", hint: Text? = nil,
        isRequired: Bool = false, maximumLength: Int? = nil
    ) -> Field {
        let value = value(name, stored)
        var error: Text?
        if let refusal, refusal.field == name {
            error = refusal.text
            if let maximumLength, value.count > maximumLength {
                error = .phrase(RefusalPhrases.tooLong, .number(maximumLength), .number(value.count))
            }
        }
        return Field(
            name, .phrase(label), kind, value: value, hint: hint, error: error, isRequired: isRequired,
            maximumLength: maximumLength)
    }

    func box(_ name: String, _ label: Phrase, _ stored: Bool = false, hint: Text? = nil) -> Field {
        var field = field(name, label, .box, hint: hint)
        field.value = isTicked(name, stored) ? "on" : ""
        return field
    }

    /// Returns a form with the error that belongs to none of its fields.
    func form(
        _ path: String, submit: Phrase, warning: Text? = nil, confirmation: String? = nil, isDangerous: Bool = false,
        sendsFiles: Bool = false, isQuery: Bool = false, same: SameCommand? = nil, _ fields: [Field]
    ) -> Form {
        let isShown = fields.contains { $0.error != nil }
        return Form(
            path, submit: .phrase(submit), error: isShown ? nil : refusal?.text, warning: warning,
            confirmation: confirmation, isDangerous: isDangerous, sendsFiles: sendsFiles, isQuery: isQuery, same: same,
            fields)
    }
}

extension FormRequest {
    /// The name of the field with the word that confirms an action.
    static let confirmationField = "confirmation"

    /// Performs an action. A refusal is shown at its field, on the page of the form with what was sent.
    ///
    /// - Parameters:
    ///   - again: Makes the page of the form.
    ///   - fields: The names of fields that have another name in the use case's errors, by that name.
    ///   - conflict: The text if another writer was first.
    func perform(
        again: (PageRequest, FormState) async throws -> Page, fields: [String: String] = [:],
        conflict: Phrase = RefusalPhrases.changedMeanwhile, _ action: () async throws -> FormAnswer
    ) async throws -> FormAnswer {
        do {
            return try await action()
        } catch {
            guard var refusal = Refusal(error) else { throw error }
            refusal.field = refusal.field.map { fields[$0] ?? $0 }
            if refusal.isConflict { refusal.text = .phrase(conflict) }
            let state = FormState(values, refusal)
            var page = try await again(page, state)
            page.status = state.status
            return .page(page)
        }
    }

    /// Performs the action of a button. If another writer was first, the page is shown with its values by now, below a notice.
    /// Other refusals have a page of their own.
    ///
    /// - Parameter page: Makes the page of the button.
    func perform(
        on page: (PageRequest) async throws -> Page, _ action: () async throws -> FormAnswer
    ) async throws -> FormAnswer {
        do {
            return try await action()
        } catch let error as CatalogEditError where error.code == .changedMeanwhile {
            var shown = try await page(self.page)
            shown.status = 409
            shown.blocks.insert(
                .notice(Notice(status: .bad, text: .phrase(RefusalPhrases.changedBeforeAction))), at: 0)
            return .page(shown)
        }
    }

    /// Checks that the word was typed that an action asks for.
    func expectConfirmation(_ word: String) throws {
        guard values[Self.confirmationField] == word else {
            throw Refusal(Self.confirmationField, .phrase(RefusalPhrases.word, .data(word)))
        }
    }
}

extension FormValues {
    /// The revision that the form was made from; `nil` if it wasn't sent. One that isn't a number is that of no resource.
    var revision: Int64? { optional("revision").map { Int64($0) ?? 0 } }

    /// Returns an amount; a comma may stand for the decimal point. `nil` for an empty field.
    ///
    /// - Throws: ``Refusal`` at the field.
    func money(_ name: String, in currency: Currency) throws -> Money? {
        let text = self[name]
        guard !text.isEmpty else { return nil }
        let isComma = text.contains(",") && !text.contains(".")
        let decimal = isComma ? text.replacing(",", with: ".") : text
        guard let money = Money(decimal: decimal, currency) else {
            throw Refusal(name, .phrase(RefusalPhrases.price, .data(currency.rawValue)))
        }
        return money
    }

    /// - Throws: ``Refusal`` at the field.
    func integer(_ name: String) throws -> Int64? {
        guard let text = optional(name) else { return nil }
        guard let value = Int64(text) else { throw Refusal(name, RefusalPhrases.number) }
        return value
    }

    /// Returns a number that an `Int` holds.
    ///
    /// - Throws: ``Refusal`` at the field.
    func count(_ name: String) throws -> Int? { try integer(name).map { Int(clamping: $0) } }

    /// - Throws: ``Refusal`` at the field.
    func day(_ name: String) throws -> PacificDay? {
        guard let text = optional(name) else { return nil }
        guard let day = PacificDay(text) else { throw Refusal(name, RefusalPhrases.day) }
        return day
    }

    /// - Throws: ``Refusal`` at the field.
    func storefront(_ name: String) throws -> Storefront? {
        guard let text = optional(name) else { return nil }
        let storefront = Storefront(rawValue: text)
        guard storefront.info != nil else {
            throw Refusal(name, .phrase(RefusalPhrases.unknownStorefront, .data(text)))
        }
        return storefront
    }

    /// Returns a choice of an enumeration; `nil` for an empty field.
    ///
    /// - Throws: ``Refusal`` at the field.
    func choice<Value: RawRepresentable<String>>(_ name: String, _ type: Value.Type = Value.self) throws -> Value? {
        guard let text = optional(name) else { return nil }
        guard let value = Value(rawValue: text) else { throw Refusal(name, RefusalPhrases.choice) }
        return value
    }

    /// Returns a choice of an enumeration. No value stands for one that wasn't sent.
    ///
    /// - Throws: ``Refusal`` at the field.
    func chosen<Value: RawRepresentable<String>>(_ name: String, _ type: Value.Type = Value.self) throws -> Value {
        guard let value = Value(rawValue: self[name]) else { throw Refusal(name, RefusalPhrases.choice) }
        return value
    }

    /// Returns a choice of an enumeration of numbers.
    ///
    /// - Throws: ``Refusal`` at the field.
    func chosen<Value: RawRepresentable<Int64>>(_ name: String, _ type: Value.Type = Value.self) throws -> Value {
        guard let value = Int64(self[name]).flatMap(Value.init(rawValue:)) else {
            throw Refusal(name, RefusalPhrases.choice)
        }
        return value
    }

    /// Returns the answer of one of two buttons: `yes` or `true`, `no` or `false`.
    ///
    /// - Throws: ``Refusal`` at the field.
    func answer(_ name: String) throws -> Bool {
        switch self[name] {
        case "yes", "true": true
        case "no", "false": false
        default: throw Refusal(name, RefusalPhrases.choice)
        }
    }

    /// Returns a period; `nil` for an empty field.
    ///
    /// - Throws: ``Refusal`` at the field.
    func period(_ name: String) throws -> Period? {
        guard let text = optional(name) else { return nil }
        guard let period = Period(iso8601: text) else { throw Refusal(name, RefusalPhrases.choice) }
        return period
    }
}
