import Mustache
import Perennial

/// Renders pages as HTML by templates, which escape all text. The one part that isn't escaped is a chart's SVG.
struct PageRenderer: Sendable {
    /// Compiled once in a process.
    private static let library: MustacheLibrary = {
        let groups = [FrameTemplates.all, TextTemplates.all, CellTemplates.all, ListTemplates.all, BlockTemplates.all]
        do {
            return MustacheLibrary(
                templates: try groups.reduce(into: [:]) { templates, group in
                    for (name, text) in group { templates[name] = try MustacheTemplate(string: text) }
                })
        } catch {
            preconditionFailure("a template can't be read: \(error)")
        }
    }()

    /// Renders a page in the frame.
    ///
    /// - Parameters:
    ///   - notice: Shown once above the page: what a form did.
    ///   - environments: For the frame's switch.
    func html(
        _ page: Page, for request: PageRequest, notice: Text? = nil, environments: [StoreEnvironment] = []
    ) -> String {
        html(page, in: Frame(request, environments: environments), notice: notice)
    }

    func html(_ page: Page, in frame: Frame, notice: Text? = nil) -> String {
        render(FrameContexts(frame).context(of: page, notice: notice), "page")
    }

    /// Renders a page without navigation.
    func html(_ page: BarePage) -> String {
        render(FrameContexts.context(of: page), "bare")
    }

    /// Renders a row of a ``LiveList``: the data of one server-sent event, of one line or several.
    func html(_ row: LiveRow, for request: PageRequest) -> String {
        html(row, in: Frame(request))
    }

    func html(_ row: LiveRow, in frame: Frame) -> String {
        var contexts = BlockContexts(
            frame.language, now: row.made ?? frame.now, formToken: frame.formToken,
            basePath: frame.environment.basePath)
        return render(contexts.context(row), "live-row")
    }

    private func render(_ context: TemplateContext, _ template: String) -> String {
        Self.library.render(context, withTemplate: template) ?? ""
    }
}
