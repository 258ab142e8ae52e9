/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.SourceSpan;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Reads Markdown as the repository's own viewer does, with tables and an anchor for each heading. */
final class PageReader {
    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());

    private final Parser parser = Parser.builder()
            .extensions(EXTENSIONS)
            .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
            .build();
    private final HtmlRenderer html =
            HtmlRenderer.builder().extensions(EXTENSIONS).build();

    /**
     * Reads a page.
     *
     * @param root the project's folder
     * @param source the page, relative to that folder
     * @param rewrite maps a link's target to its target in the site
     */
    Page read(Path root, Path source, UnaryOperator<String> rewrite) throws IOException {
        Node document = parser.parse(Files.readString(root.resolve(source)));
        List<Page.Link> links = links(document, rewrite);
        List<Page.Section> sections = sections(document);
        if (sections.isEmpty()) {
            throw new IllegalStateException(source + " has no heading: begin it with # TITLE");
        }
        Set<String> anchors = new LinkedHashSet<>();
        sections.forEach(section -> anchors.add(section.anchor()));
        return new Page(source, sections.get(0).heading(), html.render(document), anchors, links, sections);
    }

    private static List<Page.Link> links(Node document, UnaryOperator<String> rewrite) {
        List<Page.Link> links = new ArrayList<>();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                links.add(new Page.Link(link.getDestination(), line(link)));
                link.setDestination(rewrite.apply(link.getDestination()));
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                links.add(new Page.Link(image.getDestination(), line(image)));
                image.setDestination(rewrite.apply(image.getDestination()));
                visitChildren(image);
            }
        });
        return links;
    }

    private static int line(Node node) {
        List<SourceSpan> spans = node.getSourceSpans();
        return spans.isEmpty() ? 0 : spans.get(0).getLineIndex() + 1;
    }

    /** Returns all headings, each with the text up to the next one. */
    private static List<Page.Section> sections(Node document) {
        IdGenerator anchors = IdGenerator.builder().build();
        List<Page.Section> sections = new ArrayList<>();
        String heading = null;
        StringBuilder below = new StringBuilder();
        for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading) {
                add(sections, heading, anchors, below);
                heading = plain(node);
                below.setLength(0);
            } else {
                below.append(plain(node)).append(' ');
            }
        }
        add(sections, heading, anchors, below);
        return sections;
    }

    private static void add(List<Page.Section> sections, String heading, IdGenerator anchors, CharSequence below) {
        if (heading != null) {
            sections.add(new Page.Section(
                    heading, anchors.generateId(heading), below.toString().strip()));
        }
    }

    /** Returns the visible text, without markup. */
    private static String plain(Node node) {
        StringBuilder words = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                words.append(text.getLiteral());
            }

            @Override
            public void visit(Code code) {
                words.append(code.getLiteral());
            }

            @Override
            public void visit(FencedCodeBlock block) {
                words.append(' ').append(block.getLiteral()).append(' ');
            }

            @Override
            public void visit(IndentedCodeBlock block) {
                words.append(' ').append(block.getLiteral()).append(' ');
            }

            @Override
            public void visit(SoftLineBreak end) {
                words.append(' ');
            }

            @Override
            public void visit(Paragraph paragraph) {
                visitChildren(paragraph);
                words.append(' ');
            }

            @Override
            public void visit(CustomNode cell) {
                visitChildren(cell);
                words.append(' ');
            }
        });
        return words.toString().replaceAll("\\s+", " ").strip();
    }
}
