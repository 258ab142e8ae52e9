/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A release of rdma-core, unpacked by {@code compat-tests/rdma-core/fetch}.
 *
 * @param number its number, for instance 44
 * @param root its files, a layer for the guest
 */
record NativeRelease(int number, Path root) {
    /** {@return the releases in a folder, from the oldest; none if there is no such folder} */
    static List<NativeRelease> in(Path folder) {
        List<NativeRelease> found = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "[1-9]*")) {
                for (Path entry : entries) {
                    // The list of packages is written last.
                    if (Files.isRegularFile(entry.resolve("packages"))) {
                        int number = Integer.parseInt(entry.getFileName().toString());
                        found.add(new NativeRelease(
                                number, entry.resolve("root").toAbsolutePath().normalize()));
                    }
                }
            } catch (IOException e) {
                throw new MatrixException("cannot list " + folder + ": " + e.getMessage());
            }
        }
        found.sort(Comparator.comparingInt(NativeRelease::number));
        return found;
    }

    @Override
    public String toString() {
        return "rdma-core " + number;
    }
}
