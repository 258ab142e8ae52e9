/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Tests of the compatibility matrix, and tests that run it. */
package io.verbs4j.compat.matrix;
