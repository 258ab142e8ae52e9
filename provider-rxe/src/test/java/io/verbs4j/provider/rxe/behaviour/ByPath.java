/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Limits a test class to one path, for families of tests whose tags depend on the path. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface ByPath {
    SidePath value();
}
