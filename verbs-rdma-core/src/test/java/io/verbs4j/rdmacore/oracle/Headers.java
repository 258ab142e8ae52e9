/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.oracle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The headers of libibverbs, and those of librdmacm if present.
 *
 * @param release their release of rdma-core
 * @param folder for {@code -isystem}; contains only {@code infiniband/} and {@code rdma/}
 */
public record Headers(int release, Path folder) {
    private static final Pattern VERSION = Pattern.compile("(?m)^Version: \\d+\\.\\d+\\.(\\d+)\\.");

    /** Returns those of this machine; skips the test if there are none. */
    public static Headers ofThisMachine(Path scratch) {
        assumeTrue(
                Files.isRegularFile(Path.of("/usr/include/infiniband/verbs.h")),
                "no infiniband/verbs.h here: .ci/run installs libibverbs-dev");
        return under(Path.of("/"), scratch);
    }

    /** Returns those of an unpacked libibverbs-dev. */
    public static Headers under(Path root, Path scratch) {
        Path usr = root.resolve("usr");
        try {
            // Only these: the C library's headers beside them are for this machine's processor.
            Path folder = Files.createTempDirectory(scratch, "headers");
            for (String name : List.of("infiniband", "rdma")) {
                Path from = usr.resolve("include").resolve(name);
                if (Files.isDirectory(from)) {
                    copy(from, Files.createDirectory(folder.resolve(name)));
                }
            }
            return new Headers(release(usr), folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var found = Files.newDirectoryStream(from, "*.h")) {
            for (Path header : found) {
                Files.copy(header, to.resolve(header.getFileName()));
            }
        }
    }

    /** Maps, for instance, libibverbs 1.14.44.0 to rdma-core 44. */
    private static int release(Path usr) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(usr, "{lib,lib64,share}")) {
            for (Path folder : folders) {
                try (var found =
                        Files.find(folder, 3, (file, attributes) -> file.endsWith("pkgconfig/libibverbs.pc"))) {
                    Path description = found.findFirst().orElse(null);
                    if (description != null) {
                        Matcher version = VERSION.matcher(Files.readString(description));
                        if (version.find()) {
                            return Integer.parseInt(version.group(1));
                        }
                    }
                }
            }
        }
        throw new IllegalStateException("no release of rdma-core in a libibverbs.pc under " + usr);
    }
}
