/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The programs of an example with each marked line replaced by its TCP version.
 *
 * @param folder folder of the sources
 * @param marks number of marked lines
 */
record TcpSources(Path folder, int marks) {
    private static final Pattern MARK = Pattern.compile("// \\d of \\d lines that differ; over TCP: (\\S+)$");
    private static final String EXPRESSION = "Verbs\\w+\\.(newFactory\\(\\)|class)|Vertx\\.builder\\(.*(?=;)";
    private static final Map<String, String> IMPORTS = Map.of(
            "io.verbs4j.netty.VerbsIoHandler", "io.netty.channel.nio.NioIoHandler",
            "io.verbs4j.netty.VerbsServerSocketChannel", "io.netty.channel.socket.nio.NioServerSocketChannel",
            "io.verbs4j.netty.VerbsSocketChannel", "io.netty.channel.socket.nio.NioSocketChannel");

    static TcpSources of(Path sources, Path folder) throws IOException {
        Files.createDirectories(folder);
        int marks = 0;
        try (Stream<Path> files = Files.walk(sources).filter(Files::isRegularFile)) {
            for (Path file : files.toList()) {
                List<String> changed = new ArrayList<>();
                String before = "";
                for (String line : Files.readAllLines(file)) {
                    Matcher mark = MARK.matcher(before);
                    if (mark.find()) {
                        marks++;
                        changed.add(line.replaceFirst(EXPRESSION, mark.group(1)));
                    } else {
                        changed.add(imported(line));
                    }
                    before = line;
                }
                Files.write(folder.resolve(file.getFileName()), changed);
                if (String.join("\n", changed).contains("Verbs")) {
                    throw new AssertionError("something is not marked in " + file);
                }
            }
        }
        return new TcpSources(folder, marks);
    }

    private static String imported(String line) {
        if (line.equals("import io.verbs4j.netty.vertx.VerbsTransport;")) {
            return "";
        }
        String changed = line;
        for (Map.Entry<String, String> type : IMPORTS.entrySet()) {
            changed = changed.replace("import " + type.getKey() + ";", "import " + type.getValue() + ";");
        }
        return changed;
    }
}
