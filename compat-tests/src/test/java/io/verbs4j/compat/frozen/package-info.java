/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The frozen levels: the unchanged jars of finished levels. */
package io.verbs4j.compat.frozen;
