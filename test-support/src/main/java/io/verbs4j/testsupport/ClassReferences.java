/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.testsupport;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The classes that a class file refers to: those it uses, those in descriptors and generic signatures, annotations,
 * and those whose constants javac has copied.
 *
 * @param name the class, as in {@code a.b.Outer$Inner}
 * @param references the names of the others
 */
record ClassReferences(String name, Set<String> references) {
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int STRING = 8;

    /** A class in a descriptor or a generic signature. */
    private static final Pattern IN_DESCRIPTOR = Pattern.compile("L((?:\\w+/)+[\\w$]+)");

    static ClassReferences read(Path file) throws IOException {
        try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            in.skipNBytes(8); // magic number, version
            int count = in.readUnsignedShort();
            String[] texts = new String[count];
            int[] classes = new int[count];
            Set<Integer> strings = new HashSet<>();
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case UTF8 -> texts[i] = in.readUTF();
                    case CLASS -> classes[i] = in.readUnsignedShort();
                    case STRING -> strings.add(in.readUnsignedShort());
                    case LONG, DOUBLE -> {
                        in.skipNBytes(8);
                        i++;
                    }
                    default -> in.skipNBytes(length(tag));
                }
            }
            in.skipNBytes(2); // access flags
            String name = texts[classes[in.readUnsignedShort()]].replace('/', '.');
            return new ClassReferences(name, references(texts, classes, strings));
        }
    }

    /** The length of an entry of the constant pool that is of no interest. */
    private static int length(int tag) throws IOException {
        return switch (tag) {
            case 16, 19, 20 -> 2; // method type, module, package
            case 15 -> 3; // method handle
            case 3, 4, 9, 10, 11, 12, 17, 18 -> 4; // int, float, references, name and type, dynamic
            default -> throw new IOException("unknown entry " + tag + " in the constant pool");
        };
    }

    private static Set<String> references(String[] texts, int[] classes, Set<Integer> strings) {
        Set<String> names = new TreeSet<>();
        for (int i = 1; i < texts.length; i++) {
            if (classes[i] != 0 && !texts[classes[i]].startsWith("[")) {
                names.add(texts[classes[i]].replace('/', '.'));
            }
            if (texts[i] != null && !strings.contains(i)) {
                IN_DESCRIPTOR
                        .matcher(texts[i])
                        .results()
                        .forEach(found -> names.add(found.group(1).replace('/', '.')));
            }
        }
        return names;
    }
}
