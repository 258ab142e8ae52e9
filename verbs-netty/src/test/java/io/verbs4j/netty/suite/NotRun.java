/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test of the suite that is not run with these channels: on a method that overrides it, and is no test. Not
 * {@code @Disabled}, as nothing is skipped that could run on another machine.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface NotRun {
    /** Why. */
    String value();
}
