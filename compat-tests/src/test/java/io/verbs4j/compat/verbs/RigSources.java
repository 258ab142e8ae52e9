/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The sources of each rig: its tests, and the programs that they start. */
final class RigSources {
    private static final String COMPAT = "compat-tests/guest/src/test/java/io/verbs4j/compat/";

    /** The folders of each rig, by its letter. */
    private static final Map<Character, List<String>> FOLDERS = Map.of(
            'E',
                    List.of(
                            "provider-rxe/src/test",
                            "verbs-cm/src/test",
                            "compat-tests/src/main/java/io/verbs4j/compat/kit"),
            'S',
                    List.of(
                            "provider-mlx5/src/test",
                            "provider-efa/src/test",
                            "provider-gaudi/src/test",
                            "verbs-native/src/test",
                            "verbs-rdma-core/src/test",
                            COMPAT + "sim"),
            'K', List.of(COMPAT + "guest"));

    private final Map<Character, String> texts = new TreeMap<>();

    RigSources(Path project) throws IOException {
        for (Map.Entry<Character, List<String>> rig : FOLDERS.entrySet()) {
            List<String> sources = new ArrayList<>();
            for (String folder : rig.getValue()) {
                try (Stream<Path> files = Files.walk(project.resolve(folder))) {
                    for (Path file :
                            files.filter(f -> f.toString().endsWith(".java")).toList()) {
                        sources.add(Files.readString(file));
                    }
                }
            }
            texts.put(rig.getKey(), String.join("\n", sources));
        }
    }

    /** Whether a rig has this letter. */
    boolean knows(char rig) {
        return texts.containsKey(rig);
    }

    /** Whether a source of the rig calls a method of this name. */
    boolean call(char rig, String method) {
        return Pattern.compile("\\b" + method + "\\(").matcher(texts.get(rig)).find();
    }
}
