/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.base;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;

/** Where something was loaded from, for people. */
public final class Origin {
    public static final String UNKNOWN = "?";

    private Origin() {}

    /** The jar or directory that a class came from. */
    public static String of(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null || source.getLocation() == null
                ? UNKNOWN
                : path(source.getLocation().toString());
    }

    /** The jar or directory that a resource is in. */
    public static String of(URL resource, String resourceName) {
        String url = resource.toString();
        if (url.endsWith("/" + resourceName)) {
            url = url.substring(0, url.length() - resourceName.length() - 1);
        }
        if (url.startsWith("jar:") && url.endsWith("!")) {
            url = url.substring("jar:".length(), url.length() - 1);
        }
        return path(url);
    }

    private static String path(String url) {
        try {
            return Path.of(new URI(url)).toString();
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            return url; // not a file: as it is
        }
    }
}
