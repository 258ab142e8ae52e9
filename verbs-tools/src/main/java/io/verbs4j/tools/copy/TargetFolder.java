/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** The folder that a receiver writes to. Names from senders never lead out of it. */
final class TargetFolder {
    /** Parts of the names of incomplete files: {@code .NAME.verbs-part}, and {@code .NAME.verbs-state} beside it. */
    static final String PREFIX = ".";

    static final String PART = ".verbs-part";
    static final String STATE = ".verbs-state";

    /** Longest name in bytes: what file systems accept, less what the names above add. */
    private static final int NAME = 255 - PREFIX.length() - STATE.length();

    private final Path root;

    /**
     * Creates the object.
     *
     * @param root the folder, which exists
     */
    TargetFolder(Path root) throws IOException {
        this.root = root.toRealPath();
    }

    /**
     * Finds the place of a file.
     *
     * @param path the user's path: empty, a name, a folder, or both, separated by slashes
     * @param name the file's own name, for a path that is empty or a folder
     * @return the place, in a folder that exists
     * @throws FileRefused if it would not be inside this folder, or can't be a file; the message says why
     */
    Path resolve(String path, String name) throws IOException, FileRefused {
        requireLength(path);
        requireLength(name);
        Path folder = root;
        String last = "";
        String[] parts = path.isEmpty() ? new String[0] : path.split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            boolean isLast = i == parts.length - 1;
            if (isLast && parts[i].isEmpty() && i > 0) {
                break; // it ends with a slash: a folder
            }
            requireName(parts[i], path);
            Path next = folder.resolve(parts[i]);
            if (Files.isDirectory(next)) {
                folder = inside(next, path);
            } else if (isLast) {
                last = parts[i];
            } else {
                throw new FileRefused(
                        "the receiver has no folder '" + parts[i] + "' for '" + path + "'; create it there");
            }
        }
        if (last.isEmpty()) {
            requireName(name, name);
            last = name;
        }
        Path target = folder.resolve(last);
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)
                && !Files.isSymbolicLink(target)
                && !Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileRefused("'" + last + "' at the receiver is not a file that can be replaced");
        }
        return target;
    }

    /** {@return the real path of a folder} It may be a link, as long as it leads to a folder in here. */
    private Path inside(Path folder, String path) throws IOException, FileRefused {
        Path real = folder.toRealPath();
        if (!real.startsWith(root)) {
            throw new FileRefused("'" + path + "' leads out of the receiver's folder through a link");
        }
        return real;
    }

    private static void requireLength(String path) throws FileRefused {
        if (path.getBytes(StandardCharsets.UTF_8).length > CopySizes.PATH) {
            throw new FileRefused("the name is longer than " + CopySizes.PATH + " bytes");
        }
    }

    private void requireName(String name, String path) throws FileRefused {
        if (name.isEmpty()) {
            throw new FileRefused(
                    path.startsWith("/")
                            ? "'" + path + "' begins with a slash; names are relative to the receiver's folder"
                            : "'" + path + "' has an empty name");
        }
        if (name.equals(".") || name.equals("..")) {
            throw new FileRefused(
                    "'" + path + "' contains '" + name + "', which could lead out of the receiver's folder");
        }
        if (name.codePoints().anyMatch(c -> c < ' ' || c == '/' || c == '\\' || c == 0x7f)) {
            throw new FileRefused("'" + path + "' has a slash or another invalid character in a name");
        }
        if (name.startsWith(PREFIX) && (name.endsWith(PART) || name.endsWith(STATE))) {
            throw new FileRefused("'" + name + "' is a name for incomplete files");
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > NAME) {
            throw new FileRefused("'" + name + "' is longer than " + NAME + " bytes");
        }
        try {
            Path one = root.getFileSystem().getPath(name);
            if (one.isAbsolute() || one.getNameCount() != 1) {
                throw new FileRefused("'" + name + "' is not a file name");
            }
        } catch (InvalidPathException e) {
            throw new FileRefused("'" + name + "' can't be a file name at the receiver: " + e.getReason(), e);
        }
    }
}
