/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.VerbsLevel;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;

/**
 * A second copy of the library and the native providers in a separate class loader, with the same API. To the JVM these
 * are different classes, with different implementations of the handles.
 */
final class ProviderCopy extends URLClassLoader {
    private static final List<String> COPIED = List.of(
            "io.verbs4j.core.",
            "io.verbs4j.natives.",
            "io.verbs4j.rdmacore.",
            "io.verbs4j.provider.",
            "io.verbs4j.mlx5dv.");

    ProviderCopy() throws MalformedURLException {
        super(classPath(), ProviderCopy.class.getClassLoader());
    }

    private static URL[] classPath() throws MalformedURLException {
        String[] places = System.getProperty("java.class.path").split(File.pathSeparator, -1);
        URL[] urls = new URL[places.length];
        for (int i = 0; i < places.length; i++) {
            urls[i] = new File(places[i]).toURI().toURL();
        }
        return urls;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (COPIED.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    /** Opens a device through the copy. */
    Context open(String device) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(this); // where the library looks for providers
        try {
            Class<?> verbs = Class.forName("io.verbs4j.core.Verbs", true, this);
            Object found = null;
            for (Object each : (List<?>) verbs.getMethod("devices").invoke(null)) {
                if (((Device) each).name().equals(device)) {
                    found = each;
                }
            }
            if (found == null) {
                throw new IllegalStateException("there is no " + device + ": "
                        + verbs.getMethod("report").invoke(null));
            }
            return (Context) verbs.getMethod("open", Device.class, int.class).invoke(null, found, VerbsLevel.CURRENT);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
