/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Checks the boundaries between the modules on the class files and module descriptors of this build. */
package io.verbs4j.compat.boundaries;
